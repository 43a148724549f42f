import { compileGlobs } from '../globs.ts'
import { perObject } from '../per-object.ts'
import { isInRanges, parseRanges } from './address-ranges.ts'
import type { Policy } from './policy.ts'

/** A policy with its decisions so far. Requests of a key repeat models and addresses, and parsing these takes time. */
export interface CompiledPolicy {
  /** `undefined`: all operations are allowed. */
  readonly endpoints: ReadonlySet<string> | undefined
  /** Whether an id that a request names matches `models`. `undefined`: all are allowed. */
  readonly allows: Decision | undefined
  /** Whether `provider/model` matches `models`, by its whole id or by the model alone. `undefined`: all are allowed. */
  readonly allowsModel: Decision | undefined
  /** Whether an id, or any end of it after a slash, matches `deniedModels`. `undefined`: none is denied. */
  readonly denies: Decision | undefined
  /** Whether an address is in `ipRanges`. `undefined`: all are allowed. */
  readonly isInRanges: Decision | undefined
}

type Decision = (text: string) => boolean

/** The most decisions that are kept, of all rules together. All are then made again. */
const MAX_DECISIONS = 20_000

/** A request can name an id of slashes only. No model has that many. */
const MAX_SLASHES = 16

/** Compiles a policy once. It must not change. */
export const compiledPolicy = perObject(({ endpoints, models, deniedModels, ipRanges }: Policy): CompiledPolicy => {
  const ranges = ipRanges && parseRanges(ipRanges)
  return {
    endpoints: endpoints && new Set(endpoints),
    ...(models ? compileModels(models) : { allows: undefined, allowsModel: undefined }),
    denies: deniedModels && compileDenied(deniedModels),
    isInRanges: ranges && remembered((address) => isInRanges(address, ranges)),
  }
})

function compileModels(patterns: readonly string[]): Pick<CompiledPolicy, 'allows' | 'allowsModel'> {
  const matches = compileGlobs(patterns)
  // A pattern without a slash matches a model of any provider.
  const matchesModel = compileGlobs(patterns.filter((pattern) => !pattern.includes('/')))
  return {
    allows: remembered(matches),
    allowsModel: remembered((id) => matches(id) || matchesModel(id.slice(id.indexOf('/') + 1))),
  }
}

function compileDenied(patterns: readonly string[]): Decision {
  const matches = compileGlobs(patterns)
  return remembered((id) => endsOf(id).some(matches))
}

/** Returns an id and what follows each of its slashes: an upstream may itself have ids with slashes. */
function endsOf(id: string): readonly string[] {
  const ends = [id]
  for (let at = id.indexOf('/'); at >= 0 && ends.length <= MAX_SLASHES; at = id.indexOf('/', at + 1)) {
    ends.push(id.slice(at + 1))
  }
  return ends
}

/** The decisions of each rule that has any. */
const remembering = new Set<Map<string, boolean>>()
let remembers = 0

function remembered(decide: Decision): Decision {
  const decisions = new Map<string, boolean>()
  return (text) => {
    const known = decisions.get(text)
    if (known !== undefined) return known
    if (remembers >= MAX_DECISIONS) forgetAll()
    const decision = decide(text)
    decisions.set(text, decision)
    remembering.add(decisions)
    remembers += 1
    return decision
  }
}

function forgetAll(): void {
  for (const decisions of remembering) decisions.clear()
  remembering.clear()
  remembers = 0
}

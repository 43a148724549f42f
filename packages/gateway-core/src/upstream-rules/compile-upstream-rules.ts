import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'
import { checkedForwardHeaders } from '../dialects/answering/checked-forward-headers.ts'
import { compileGlob, compileGlobs, type Glob } from '../globs.ts'
import { createRetries, type RetryOptions, type WaitBeforeRetry } from '../providers/retries.ts'
import type { UpstreamTimeouts } from '../providers/upstream-timeouts.ts'
import { checkedParameters } from './checked-parameters.ts'
import { Places } from './places.ts'
import type { UpstreamParameters, UpstreamRules, UpstreamRulesByName } from './upstream-rules.ts'

/** The rules of one model. */
export interface TargetRules {
  readonly connectTimeoutMs: number
  /** `undefined`: that of the service. */
  readonly firstByteMs: number | undefined
  readonly idleMs: number
  /** The time of one attempt at a whole answer. `undefined`: that of the request. */
  readonly attemptMs: number | undefined
  readonly waitBeforeRetry: WaitBeforeRetry
  readonly parameters: UpstreamParameters | undefined
  /** Names in lower case. */
  readonly forwardHeaders: readonly string[]
  readonly places: readonly Places[]
  readonly waitMs: number
}

/** The rules of all upstreams. */
export interface CompiledUpstreamRules {
  /** Returns the rules of a model. */
  of(provider: string, model: string): TargetRules
  /** Returns whether a model may be used that the upstream does not list. `undefined`: the upstream has no such rule. */
  accepts(provider: string, model: string): boolean | undefined
  /** The names of clients' headers that any upstream gets. */
  readonly forwardHeaders: readonly string[]
}

export interface UpstreamRulesParts {
  readonly upstreams: UpstreamRulesByName
  readonly providers: ReadonlySet<string>
  readonly timeouts: Required<UpstreamTimeouts>
  readonly retries: RetryOptions
  readonly forwardHeaders: readonly string[]
  readonly random: () => number
}

/** A rule whose numbers were checked. */
interface NamedRules {
  readonly provider: string
  /** `undefined`: all models. */
  readonly pattern: string | undefined
  readonly matches: Glob
  /** Whether a model may be used that the upstream does not list. `undefined`: the rule does not say. */
  readonly accepts: Glob | undefined
  readonly rules: UpstreamRules
  readonly places: Places | undefined
}

/** Upstreams accept any name, so what was looked up is forgotten beyond this number. */
const MAX_KNOWN = 1_000

/**
 * @throws TypeError for an upstream that does not exist, a field in the wrong place or a parameter that cannot be set
 * @throws RangeError for a number that is out of its range
 */
export function compileUpstreamRules(parts: UpstreamRulesParts): CompiledUpstreamRules {
  const { timeouts, providers } = parts
  const named = Object.entries(parts.upstreams)
    .map(([name, rules]) => checkedRules(name, rules, providers))
    .sort((one, other) => (one.pattern?.length ?? -1) - (other.pattern?.length ?? -1))
  const common = checkedForwardHeaders(parts.forwardHeaders)
  const own = named.flatMap(({ rules }) => checkedForwardHeaders(rules.forwardHeaders))
  const known = new Map<string, TargetRules>()

  const compile = (matching: readonly NamedRules[]): TargetRules => {
    const merged: UpstreamRules = Object.assign({}, ...matching.map(({ rules }) => rules))
    const times: UpstreamTimeouts = Object.assign({}, ...matching.map(({ rules }) => rules.timeouts))
    const { connectSeconds = timeouts.connectSeconds, idleSeconds = timeouts.idleSeconds } = times
    const { forwardHeaders: names, retries, waitSeconds = 0 } = merged
    return {
      connectTimeoutMs: connectSeconds * 1000,
      firstByteMs: times.firstByteSeconds === undefined ? undefined : times.firstByteSeconds * 1000,
      idleMs: idleSeconds * 1000,
      attemptMs: times.totalSeconds === undefined ? undefined : times.totalSeconds * 1000,
      waitBeforeRetry: createRetries({ ...parts.retries, ...retries }, parts.random),
      parameters: mergedParameters(matching.flatMap(({ rules }) => rules.parameters ?? [])),
      forwardHeaders: names ? checkedForwardHeaders(names) : common,
      places: matching.flatMap(({ places }) => places ?? []),
      waitMs: waitSeconds * 1000,
    }
  }
  const usual = compile([])

  return {
    of(provider, model) {
      if (named.length === 0) return usual
      const id = `${provider}/${model}`
      const found = known.get(id)
      if (found) return found
      const matching = named.filter((rule) => rule.provider === provider && rule.matches(model))
      const rules = matching.length === 0 ? usual : compile(matching)
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(id, rules)
      return rules
    },
    accepts(provider, model) {
      return named.find((rule) => rule.provider === provider && rule.accepts)?.accepts?.(model)
    },
    forwardHeaders: [...new Set([...common, ...own])],
  }
}

const MOST_WAIT_SECONDS = 600
const MOST_PLACES = 1_000_000
const MOST_PATTERNS = 1_000

function checkedRules(name: string, rules: UpstreamRules, providers: ReadonlySet<string>): NamedRules {
  const slash = name.indexOf('/')
  const provider = slash < 0 ? name : name.slice(0, slash)
  const pattern = slash < 0 ? undefined : name.slice(slash + 1)
  if (!providers.has(provider)) throw new TypeError(`'upstreams' names '${name}', but no provider has that id.`)
  const { models, maxParallelRequests, waitSeconds = 0, timeouts = {} } = rules
  if (models && pattern !== undefined) throw new TypeError(`'upstreams.${name}' cannot have 'models'.`)
  if (models && (!Array.isArray(models) || models.length > MOST_PATTERNS || !models.every(isText))) {
    throw new TypeError(`'upstreams.${name}.models' must be a list of at most ${MOST_PATTERNS} patterns.`)
  }
  checkRange({ [`upstreams.${name}.waitSeconds`]: waitSeconds }, 0, MOST_WAIT_SECONDS)
  const range = { [`upstreams.${name}.maxParallelRequests`]: maxParallelRequests ?? 1 }
  checkRange(range, 1, MOST_PLACES)
  for (const [time, seconds = 1] of Object.entries(timeouts)) {
    checkRange({ [`upstreams.${name}.timeouts.${time}`]: seconds }, 0.001, MAX_TIMER_SECONDS)
  }
  createRetries(rules.retries ?? {}, () => 0)
  checkedParameters(`upstreams.${name}.parameters`, rules.parameters)
  return {
    provider,
    pattern,
    matches: pattern === undefined ? () => true : compileGlob(pattern),
    accepts: models && compileGlobs(models),
    rules,
    places: maxParallelRequests === undefined ? undefined : new Places(maxParallelRequests),
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function mergedParameters(all: readonly UpstreamParameters[]): UpstreamParameters | undefined {
  if (all.length === 0) return undefined
  return Object.assign(
    {},
    ...(['chat', 'responses', 'messages'] as const).map((dialect) => {
      const fields = all.flatMap((parameters) => parameters[dialect] ?? [])
      return fields.length === 0 ? {} : { [dialect]: Object.assign({}, ...fields) }
    }),
  )
}

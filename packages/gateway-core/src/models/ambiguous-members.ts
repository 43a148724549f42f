import { hasBudget, policiesOf } from '../accounts/account.ts'
import type { Caller } from '../caller.ts'
import { toProviderError } from '../providers/provider-error.ts'
import { shortName } from '../providers/refused-parameter.ts'
import type { ModelCallError } from './model-call-error.ts'

/** Whether rules or limits hold for a caller, for which a request must mean the same to the gateway and to upstreams. */
export const isGoverned = (caller: Caller): boolean => policiesOf(caller).length > 0 || hasBudget(caller)

/** What decides which model is called and what it costs. */
const deciding: ReadonlySet<string> = new Set(
  'model models route n best_of stream tools functions messages input prompt system instructions'.split(' '),
)
/** Members by which some upstreams choose other models. */
const choosing: ReadonlySet<string> = new Set(['models', 'route', 'fallbacks', 'preset'])
/** Members by which some upstreams write more. */
const MULTIPLYING = /^(?:n|best_of|max_(?:\w+_)?tokens)$/
/** Without what some parsers ignore. Both ways, because some letters have only one partner, such as the long s. */
const foldedName = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '')

const foldedDeciding: ReadonlySet<string> = new Set([...deciding].map(foldedName))
const PLAIN_NAME = /^[a-z\d_]+$/

/**
 * Returns the error of a governed request with a member that an upstream may read as another one, because it ignores case,
 * or that chooses models or multiplies the output unknown to the gateway; `undefined` for all others.
 *
 * @param own the members of the operation that limit or multiply its output
 */
export function ambiguityOf(
  caller: Caller,
  body: Readonly<Record<string, unknown>>,
  own: readonly string[] = [],
): ModelCallError | undefined {
  if (!isGoverned(caller)) return undefined
  const isLimited = hasBudget(caller)
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue
    if (isOtherSpelling(name)) return refused(name, 'is a member whose name some upstreams read as another one')
    if (choosing.has(name))
      return refused(name, 'chooses models at the upstream, which your rules and limits must know')
    if (isLimited && MULTIPLYING.test(name) && !own.includes(name)) {
      return refused(name, 'is not a limit of this operation, and your budget cannot count it')
    }
  }
  return undefined
}

/** Names that no upstream reads as another one. Requests repeat few of them, and folding one takes time. */
const distinct = new Set<string>(deciding)
const MOST_DISTINCT = 1_000
/** Longer names are not those of an API, and would fill the memory. */
const LONGEST_NAME = 64

function isOtherSpelling(name: string): boolean {
  if (distinct.has(name)) return false
  const isOther = isFoldedOther(name)
  if (!isOther && name.length <= LONGEST_NAME && distinct.size < MOST_DISTINCT) distinct.add(name)
  return isOther
}

function isFoldedOther(name: string): boolean {
  const folded = foldedName(name)
  return foldedDeciding.has(folded) || (folded.startsWith('max') && !PLAIN_NAME.test(name))
}

const refused = (name: string, reason: string): ModelCallError => ({
  type: 'upstream-failed',
  provider: undefined,
  error: toProviderError({
    type: 'unsupported',
    param: shortName(name),
    message: `'${shortName(name)}' ${reason}. Remove it.`,
  }),
})

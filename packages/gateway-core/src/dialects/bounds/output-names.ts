import type { JsonObject } from '../dialect.ts'
import { countIn } from '../json-values.ts'

/** All names of a limit of output that upstreams know. Each may count another one than the gateway. */
const outputNames = ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict'] as const

/** Returns the largest limit of output of a request, by any name. */
export const mostOutputOf = (body: JsonObject): number =>
  outputNames.reduce((most, name) => Math.max(most, countIn(body[name]) ?? 0), 0)

/**
 * Returns the fields that limit the output where the client has not: its own names that have no number, and
 * `name` where it has none of these. Larger limits by other names are lowered.
 */
export function limitedOutput(body: JsonObject, name: string, tokens: number): JsonObject {
  const others = outputNames.filter((one) => one in body && (countIn(body[one]) ?? Number.POSITIVE_INFINITY) > tokens)
  const isNamed = name in body || (name === 'max_completion_tokens' && 'max_tokens' in body)
  return Object.fromEntries([...others, ...(isNamed ? [] : [name])].map((one) => [one, tokens]))
}

import { isTokenCount } from '../../usage/token-count.ts'
import type { JsonObject } from '../dialect.ts'

/** Returns all input tokens: Anthropic counts those that were read from and written to its cache apart. */
export function inputTokensOf(usage: JsonObject | undefined): number | undefined {
  if (!isTokenCount(usage?.input_tokens)) return undefined
  return [usage.cache_creation_input_tokens, usage.cache_read_input_tokens].reduce<number>(
    (sum, count) => (isTokenCount(count) ? sum + count : sum),
    usage.input_tokens,
  )
}

import type { ChatUsage } from '@trivium/gateway-core/ports'
import { countOr, type JsonObject, objectOr } from '@trivium/provider-kit/answers'

const tokenKinds = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** The counts of a stream so far, with those of one more event: the last of each kind holds, other kinds are not kept. */
export function withCounts(counts: JsonObject, more: unknown): JsonObject {
  const told = objectOr(more)
  return Object.fromEntries(tokenKinds.map((kind) => [kind, told[kind] ?? counts[kind]]))
}

/**
 * Tokens as chat completions count them: the prompt includes what was read from and written to the cache.
 *
 * @param counts the `usage` of a message; of a stream, all that came so far, the last of each kind
 */
export function usage(counts: unknown): ChatUsage {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = objectOr(counts)
  const cached = countOr(cache_read_input_tokens)
  const written = countOr(cache_creation_input_tokens)
  const prompt = countOr(input_tokens) + cached + written
  const completion = countOr(output_tokens)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
  }
}

import type { ChatUsage } from '@trivium/gateway-core/ports'
import { countOr, type JsonObject, objectOr } from '@trivium/provider-kit/answers'

const tokenKinds = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/**
 * Adds the counts of an event to those of a stream so far. The last count of each kind is kept; unknown kinds are
 * dropped.
 */
export function withCounts(counts: JsonObject, more: unknown): JsonObject {
  const added = objectOr(more)
  return Object.fromEntries(tokenKinds.map((kind) => [kind, added[kind] ?? counts[kind]]))
}

/**
 * Converts token counts to those of chat completions, whose prompt includes tokens read from and written to the cache.
 *
 * @param counts the `usage` of a message, or the collected counts of a stream
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

import { isTokenCount } from '../../../usage/token-count.ts'
import type { ConversationUsage } from '../../conversation/conversation-answer.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf, present } from '../../json-values.ts'

/** Reads `usage`. @param searches the web searches of the answer */
export function readUsage(value: unknown, searches: number): ConversationUsage | undefined {
  const usage = objectOf(value)
  if (!usage) return undefined
  const input = countOf(usage.input_tokens)
  const output = countOf(usage.output_tokens)
  if (input === undefined && output === undefined) return undefined
  const inputDetails = objectOf(usage.input_tokens_details)
  return present({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cachedTokens: countOf(inputDetails?.cached_tokens),
    cacheWriteTokens: countOf(inputDetails?.cache_write_tokens),
    cacheWriteHourTokens: countOf(inputDetails?.cache_write_1h_tokens),
    reasoningTokens: countOf(objectOf(usage.output_tokens_details)?.reasoning_tokens),
    searches: searches > 0 ? searches : undefined,
  })
}

const countOf = (value: unknown): number | undefined => (isTokenCount(value) ? value : undefined)

/** Writes `usage`. Clients require its details, so absent ones are 0. */
export function writeUsage(usage: ConversationUsage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      cache_write_tokens: cacheWriteTokens,
      ...present({ cache_write_1h_tokens: usage.cacheWriteHourTokens }),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

import { isObject } from '../../chat/is-object.ts'
import type { ConversationUsage } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, objectOr, present } from '../json-values.ts'

/** Reads token counts, those of cached tokens also under DeepSeek's name. */
export function readUsage(value: unknown): ConversationUsage | undefined {
  if (!isObject(value)) return undefined
  const inputTokens = countIn(value.prompt_tokens)
  const outputTokens = countIn(value.completion_tokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const input = objectOr(value.prompt_tokens_details)
  const output = objectOr(value.completion_tokens_details)
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...present({
      cachedTokens: countIn(input.cached_tokens) ?? countIn(value.prompt_cache_hit_tokens),
      cacheWriteTokens: countIn(input.cache_write_tokens),
      cacheWriteHourTokens: countIn(input.cache_write_1h_tokens),
      reasoningTokens: countIn(output.reasoning_tokens),
      searches: countIn(objectOr(value.server_tool_use).web_search_requests),
    }),
  }
}

export function writeUsage(usage: ConversationUsage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens, searches } = usage
  const input = present({
    cached_tokens: cachedTokens,
    cache_write_tokens: cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWriteHourTokens,
  })
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(Object.keys(input).length > 0 ? { prompt_tokens_details: input } : {}),
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    ...(searches === undefined ? {} : { server_tool_use: { web_search_requests: searches } }),
  }
}

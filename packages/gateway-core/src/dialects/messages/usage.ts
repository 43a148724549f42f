import type { ConversationUsage } from '../conversation/conversation-answer.ts'
import { countIn, objectOr } from '../json-values.ts'
import { given } from './fields.ts'

/** The counts of tokens that a message has reported so far. */
export interface MessageCounts {
  readonly input?: number
  readonly output?: number
  readonly read?: number
  readonly written?: number
  /** Of `written`, for an hour. */
  readonly writtenHour?: number
  readonly thinking?: number
  readonly searches?: number
}

/** Adds the counts of an event to those so far. Counts are totals: the last one of each kind is kept. */
export function withCounts(counts: MessageCounts, usage: unknown): MessageCounts {
  const more = objectOr(usage)
  const found: MessageCounts = {
    ...given('input', countIn(more.input_tokens)),
    ...given('output', countIn(more.output_tokens)),
    ...given('read', countIn(more.cache_read_input_tokens)),
    ...given('written', countIn(more.cache_creation_input_tokens)),
    ...given('writtenHour', countIn(objectOr(more.cache_creation).ephemeral_1h_input_tokens)),
    ...given('thinking', countIn(objectOr(more.output_tokens_details).thinking_tokens)),
    ...given('searches', countIn(objectOr(more.server_tool_use).web_search_requests)),
  }
  return { ...counts, ...found }
}

/** Adds the counts of two messages. */
export function sumOfCounts(one: MessageCounts, other: MessageCounts): MessageCounts {
  const sum = (name: keyof MessageCounts) =>
    given(
      name,
      one[name] === undefined && other[name] === undefined ? undefined : bounded((one[name] ?? 0) + (other[name] ?? 0)),
    )
  return {
    ...sum('input'),
    ...sum('output'),
    ...sum('read'),
    ...sum('written'),
    ...sum('writtenHour'),
    ...sum('thinking'),
    ...sum('searches'),
  }
}

/** Converts counts, whose input has no tokens of the cache, to usage. `undefined` where none was reported. */
export function usageFrom(counts: MessageCounts): ConversationUsage | undefined {
  const { input, output, read, written, writtenHour, thinking, searches } = counts
  if (input === undefined && output === undefined && read === undefined && written === undefined) return undefined
  return {
    inputTokens: bounded((input ?? 0) + (read ?? 0) + (written ?? 0)),
    outputTokens: output ?? 0,
    ...given('cachedTokens', read),
    ...given('cacheWriteTokens', written),
    ...given('cacheWriteHourTokens', writtenHour || undefined),
    ...given('reasoningTokens', thinking),
    ...given('searches', searches),
  }
}

const bounded = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER)

/** Writes the counts of a message, with each member that Anthropic has. Unknown tokens are 0, as clients add them. */
export function usageOf(usage: ConversationUsage | undefined) {
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 } = usage ?? {}
  const { cacheWriteHourTokens, reasoningTokens, searches }: Partial<ConversationUsage> = usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    ...(cacheWriteHourTokens !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, cacheWriteTokens - cacheWriteHourTokens),
        ephemeral_1h_input_tokens: cacheWriteHourTokens,
      },
    }),
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: searches === undefined ? null : { web_search_requests: searches, web_fetch_requests: 0 },
  }
}

/** Writes the counts of the last event. Without `input_tokens`, those of the first one remain. */
export const lastUsageOf = (usage: ConversationUsage | undefined) =>
  usage ? usageOf(usage) : { ...usageOf(undefined), ...unknownInput }

const unknownInput = { input_tokens: null, cache_creation_input_tokens: null, cache_read_input_tokens: null }

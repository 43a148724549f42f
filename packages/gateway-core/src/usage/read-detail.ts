import { isObject } from '../chat/is-object.ts'
import { isTokenCount } from './token-count.ts'
import type { PricedDetail, UsageDetail } from './usage-detail.ts'

type Members = Readonly<Record<string, unknown>>

/** Reads the parts of `usage` as OpenAI's interfaces report them, and those that compatible upstreams add. */
export function readDetail(usage: Members): PricedDetail {
  const input = objectIn(usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details)
  const output = objectIn(usage.completion_tokens_details ?? usage.output_tokens_details ?? usage.output_token_details)
  return {
    ...part('cachedTokens', input.cached_tokens, usage.prompt_cache_hit_tokens),
    ...part('cacheWriteTokens', input.cache_write_tokens),
    ...part('cacheWriteHourTokens', input.cache_write_1h_tokens),
    ...part('reasoningTokens', output.reasoning_tokens),
    ...part('audioInputTokens', input.audio_tokens),
    ...part('imageInputTokens', input.image_tokens),
    ...part('audioOutputTokens', output.audio_tokens),
    ...part('searches', objectIn(usage.server_tool_use).web_search_requests),
  }
}

/** Reads the parts of `usage` as Anthropic reports them. */
export function readMessageDetail(usage: Members): PricedDetail {
  return {
    ...part('cachedTokens', usage.cache_read_input_tokens),
    ...part('cacheWriteTokens', usage.cache_creation_input_tokens),
    ...part('cacheWriteHourTokens', objectIn(usage.cache_creation).ephemeral_1h_input_tokens),
    ...part('reasoningTokens', objectIn(usage.output_tokens_details).thinking_tokens),
    ...part('searches', objectIn(usage.server_tool_use).web_search_requests),
  }
}

/** Reads the service tier of a chat completion, of its chunks or of a response, where it has other prices. */
export function serviceTierIn({ service_tier: tier }: Members): Pick<PricedDetail, 'serviceTier'> {
  return tier === 'priority' || tier === 'flex' ? { serviceTier: tier } : nothing
}

/** Counts the web searches in the output of a response. To open a page, or to find something in it, costs nothing. */
export function searchesIn(output: unknown): Pick<UsageDetail, 'searches'> {
  if (!Array.isArray(output)) return nothing
  const items: readonly unknown[] = output
  const searches = items.filter(
    (item) => isObject(item) && item.type === 'web_search_call' && isSearch(item.action),
  ).length
  return searches === 0 ? nothing : { searches }
}

const isSearch = (action: unknown): boolean =>
  !isObject(action) || action.type === undefined || action.type === 'search'

/** Anything but a plausible count is left out, and so is 0. */
function part(name: Exclude<keyof PricedDetail, 'serviceTier'>, ...values: readonly unknown[]): PricedDetail {
  const count = values.find(isTokenCount)
  return count ? { [name]: count } : nothing
}

const objectIn = (value: unknown): Members => (isObject(value) ? value : nothing)

const nothing = {}

import { type JsonObject, objectOr } from '@trivium/provider-kit/answers'
import type { MessagesRequest } from '../messages-api.ts'

/**
 * How a `reasoning_effort` is sent: `adaptive` for models that choose how long they think (Claude 4.6 and later),
 * `budget` for earlier ones, which accept a number of tokens.
 */
export type Reasoning = 'adaptive' | 'budget'

/** Tokens of thinking for each effort, limited by `max_tokens`. */
const budgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
}

const SMALLEST_BUDGET = 1024

/** Converts a `reasoning_effort`. `thinking` and `output_config` of the request override it. */
export function reasoning(
  chat: JsonObject,
  style: Reasoning,
  maxTokens: number,
): Pick<MessagesRequest, 'thinking'> & { readonly effort?: string } {
  const effort = chat.reasoning_effort
  if (chat.thinking !== undefined || objectOr(chat.output_config).effort !== undefined) {
    return chat.thinking === undefined ? {} : { thinking: chat.thinking }
  }
  if (typeof effort !== 'string' || effort === 'none') return {}
  if (style === 'adaptive') return { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort }
  const budget = Math.min(budgets[effort] ?? SMALLEST_BUDGET, maxTokens - 1)
  return budget < SMALLEST_BUDGET ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

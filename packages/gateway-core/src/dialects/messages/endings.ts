import type { AnswerEnding } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import { textIn } from '../json-values.ts'

const reasons: ReadonlyMap<unknown, AnswerEnding['reason']> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context'],
])

const words: Readonly<Record<AnswerEnding['reason'], string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  context: 'model_context_window_exceeded',
}

/** Reads why a message ended. An unknown reason is `stop`. */
export function endingFrom(stopReason: unknown, stopSequence: unknown): AnswerEnding {
  const reason = reasons.get(stopReason) ?? 'stop'
  const sequence = stopReason === 'stop_sequence' ? textIn(stopSequence) : undefined
  return sequence === undefined ? { reason } : { reason, stopSequence: sequence }
}

/** What a message had, which decides how its end is written. */
export interface WrittenContent {
  readonly calls: boolean
  readonly refusal: boolean
}

/** Writes why a message ended. Some upstreams report `stop` after calls of tools, for which clients look. */
export function endingOf({ reason, stopSequence }: AnswerEnding, { calls, refusal }: WrittenContent): JsonObject {
  const details = { stop_details: null }
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence, ...details }
  if (reason === 'stop' && calls) return { stop_reason: 'tool_use', stop_sequence: null, ...details }
  const isRefusal = reason === 'refusal' || reason === 'content-filter' || (reason === 'stop' && refusal)
  return {
    stop_reason: isRefusal ? 'refusal' : words[reason],
    stop_sequence: null,
    stop_details: isRefusal ? { type: 'refusal', category: null, explanation: null } : null,
  }
}

const tiers: ReadonlyMap<unknown, string> = new Map([
  ['standard', 'default'],
  ['priority', 'priority'],
  ['batch', 'flex'],
])

/** Translates the `service_tier` of a usage to OpenAI's words. */
export const tierFrom = (tier: unknown): string | undefined => tiers.get(tier)

const tierWords: ReadonlyMap<unknown, string> = new Map([
  ['default', 'standard'],
  ['priority', 'priority'],
  ['flex', 'batch'],
])

/** Translates OpenAI's words to the `service_tier` of a usage. */
export const tierOf = (tier: string | undefined): string | undefined => tierWords.get(tier)

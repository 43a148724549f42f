import type { FinishReason } from '@trivium/gateway-core/ports'

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
])

/** Converts a stop reason of the Messages API. An unknown one is `stop`. */
export const finishReason = (stopReason: unknown): FinishReason => finishReasons.get(stopReason) ?? 'stop'

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

/** A reason that is not known here is a proper end of some kind: `stop`. */
export const finishReason = (stopReason: unknown): FinishReason => finishReasons.get(stopReason) ?? 'stop'

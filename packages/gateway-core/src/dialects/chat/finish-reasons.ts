import type { FinishReason } from '../../chat/chat-completion.ts'
import type { AnswerEnding } from '../conversation/conversation-answer.ts'
import { present, textIn } from '../json-values.ts'

type Reason = AnswerEnding['reason']

const reasons: ReadonlyMap<unknown, Reason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
])

const finishReasons: Readonly<Record<Reason, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  pause: 'length',
  context: 'length',
}

/**
 * Reads why an answer ended. An unknown reason is `stop`, and so are upstreams' reasons for answers that call tools.
 *
 * @param stopReason vLLM's `stop_reason`: the stop sequence, or the number of a token
 */
export function readEnding(finishReason: unknown, stopReason: unknown, hasCalls: boolean): AnswerEnding {
  const known = reasons.get(finishReason) ?? 'stop'
  const reason = known === 'stop' && hasCalls ? 'tool-calls' : known
  return { reason, ...(reason === 'stop' ? present({ stopSequence: textIn(stopReason) }) : {}) }
}

/** @param hasFunctions whether the client has the older form of tools */
export const writeEnding = ({ reason }: AnswerEnding, hasFunctions: boolean): FinishReason =>
  reason === 'tool-calls' && hasFunctions ? 'function_call' : finishReasons[reason]

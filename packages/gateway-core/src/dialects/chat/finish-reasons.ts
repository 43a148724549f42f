import type { FinishReason } from '../../chat/chat-completion.ts'
import { refusalFrom } from '../../providers/error-body.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import type { AnswerEnding } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import { present, textIn } from '../json-values.ts'

type Reason = AnswerEnding['reason']

/** OpenAI's reasons, and those of other upstreams, in lower case and with underscores. */
const words: Readonly<Record<'length' | 'tool-calls' | 'content-filter', string>> = {
  length: 'length max_tokens max_length model_length',
  'tool-calls': 'tool_calls tool_call tool_use function_call',
  'content-filter':
    'content_filter content_filtered safety image_safety recitation blocklist prohibited_content spii sensitive refusal',
}

const reasons: ReadonlyMap<string, Reason> = new Map(
  (['length', 'tool-calls', 'content-filter'] as const).flatMap((reason) =>
    words[reason].split(' ').map((word) => [word, reason] as const),
  ),
)

/** The reasons of upstreams that broke, with the status of the error. */
const failures: ReadonlyMap<unknown, number> = new Map([
  ['insufficient_system_resource', 503],
  ['network_error', 502],
  ['error', 502],
  ['abort', 502],
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

/** Returns the error of a choice whose answer the upstream could not complete. `undefined` without one. */
export function failureIn(
  { error, finish_reason: finishReason }: JsonObject,
  beforeFirstByte: boolean,
): ProviderError | undefined {
  const code = failures.get(finishReason)
  if (!error && code === undefined) return undefined
  return refusalFrom(error || { code, message: 'The upstream could not complete its answer.' }, beforeFirstByte)
}

/**
 * Reads why an answer ended. An unknown reason is `stop`, and so are upstreams' reasons for answers that call tools.
 *
 * @param stopReason vLLM's `stop_reason`: the stop sequence, or the number of a token
 */
export function readEnding(finishReason: unknown, stopReason: unknown, hasCalls: boolean): AnswerEnding {
  const word = textIn(finishReason)?.toLowerCase().replaceAll('-', '_')
  const known = reasons.get(word ?? '') ?? 'stop'
  const reason = known === 'stop' && hasCalls ? 'tool-calls' : known
  return { reason, ...(reason === 'stop' ? present({ stopSequence: textIn(stopReason) }) : {}) }
}

/** @param hasFunctions whether the client has the older form of tools */
export const writeEnding = ({ reason }: AnswerEnding, hasFunctions: boolean): FinishReason =>
  reason === 'tool-calls' && hasFunctions ? 'function_call' : finishReasons[reason]

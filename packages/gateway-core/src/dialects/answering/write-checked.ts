import { invalidParameter } from '../../providers/refused-parameter.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { DialectTranslation, WriteRequestOptions, WrittenRequest } from '../translation.ts'

/**
 * Writes a request for an upstream. Upstreams of chat completions and messages name what they miss by words that the client
 * does not know, so that is refused here.
 *
 * @throws ProviderFailure for what the dialect of the upstream cannot carry
 */
export function writeChecked(
  to: DialectTranslation,
  request: ConversationRequest,
  options: WriteRequestOptions,
): WrittenRequest {
  if (to.dialect !== 'responses' && request.dialect === 'responses') checkResults(request)
  const written = to.writeRequest(request, options)
  const { messages } = written.body
  if (Array.isArray(messages) && messages.length === 0) throw noInput(request)
  return written
}

/** Each result must follow its call. @throws ProviderFailure in the words of OpenAI */
function checkResults({ turns }: ConversationRequest): void {
  const calls = new Set<string>()
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      for (const part of turn.content) if (part.type === 'tool-call') calls.add(part.callId)
    } else if (turn.role === 'tool' && !calls.has(turn.callId)) {
      const name = turn.kind === 'custom' ? 'custom tool' : 'function'
      const message = `No tool call found for ${name} call output with call_id ${turn.callId.slice(0, 64)}.`
      throw invalidParameter(`${turn.at}.call_id`, message)
    }
  }
}

/** Anthropic does not count an empty text as content. */
function noInput({ names: { turns = 'messages' } }: ConversationRequest) {
  return invalidParameter(turns, `'${turns}' must have a message with content.`)
}

import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { namedEvents } from '../streams/named-events.ts'
import type { StreamEvent, StreamProtocol } from '../streams/stream-protocol.ts'
import { messageErrorOf } from './message-error.ts'
import { MessagesStreamAccount } from './messages-stream-account.ts'

function classify(type: string, value: JsonObject): StreamEvent {
  switch (type) {
    case 'message_stop':
      return { type: 'done', value }
    case 'error':
      return { type: 'error', value: isObject(value.error) ? value.error : value, last: true }
    case 'ping':
      return { type: 'nothing' }
    default:
      return { type: 'chunk', value }
  }
}

/** Returns the first event with another model; `undefined` for other events, and where it already has this one. */
function withModel(value: unknown, model: string): string | undefined {
  if (!isObject(value) || value.type !== 'message_start' || !isObject(value.message)) return undefined
  if (value.message.model === model) return undefined
  const message = { ...value.message, model }
  return `event: message_start\ndata: ${JSON.stringify({ ...value, message })}\n\n`
}

const events = namedEvents(['message_start', 'message_delta', 'message_stop', 'error', 'ping'], classify)

/**
 * The protocol of streamed messages.
 *
 * @param model the client's id of the model, which the first event reports
 * @param requestId is in error events
 */
export function messagesProtocol(model: string, requestId: string): StreamProtocol {
  return {
    ...events,
    account: new MessagesStreamAccount(),
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
    end: '',
    hides: () => false,
    shown: (value, text) => withModel(value, model) ?? text,
    errorEvent(error) {
      const value = { type: 'error', error: messageErrorOf(error), request_id: requestId }
      return `event: error\ndata: ${JSON.stringify(value)}\n\n`
    },
  }
}

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

const events = namedEvents('message_(?:start|delta|stop)|error|ping', classify)

/** The protocol of streamed messages. `requestId` is in its error events. */
export function messagesProtocol(requestId: string): StreamProtocol {
  return {
    ...events,
    account: new MessagesStreamAccount(),
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
    end: '',
    hides: () => false,
    errorEvent(error) {
      const value = { type: 'error', error: messageErrorOf(error), request_id: requestId }
      return `event: error\ndata: ${JSON.stringify(value)}\n\n`
    },
  }
}

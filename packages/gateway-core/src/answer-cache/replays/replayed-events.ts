import type { Dialect, JsonObject } from '../../dialects/dialect.ts'
import { chatEvents } from './chat-events.ts'
import { messageReplay } from './message-replay.ts'
import { responseEvents } from './response-events.ts'

/** Writes a whole answer as the events of a stream that its client requested. */
export async function eventsOf(dialect: Dialect, answer: JsonObject, body: JsonObject): Promise<string> {
  switch (dialect) {
    case 'chat':
      return chatEvents(answer, body)
    case 'messages':
      return messageReplay(answer)
    case 'responses':
      return responseEvents(answer)
  }
}

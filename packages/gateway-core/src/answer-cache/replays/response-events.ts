import type { JsonObject } from '../../dialects/dialect.ts'
import { objectsOf } from '../../dialects/json-values.ts'
import { encodeEvent, type ResponseEvent } from '../../responses/response-event.ts'
import { lastEvent } from '../../responses/whole-events.ts'
import { eventsOfItem } from '../../responses/whole-item-events.ts'

/** Writes a response as the events of a stream. Each text is one delta. */
export function responseEvents(response: JsonObject): string {
  let text = ''
  let sequence = 0
  for (const event of events(response)) {
    text += encodeEvent(event, sequence)
    sequence += 1
  }
  return text
}

function* events(response: JsonObject): Generator<ResponseEvent> {
  const running = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const fields = { response: 'completed_at' in running ? { ...running, completed_at: null } : running }
  yield { type: 'response.created', fields }
  yield { type: 'response.in_progress', fields }
  for (const [index, item] of objectsOf(response.output).entries()) yield* eventsOfItem(item, index)
  yield lastEvent(response)
}

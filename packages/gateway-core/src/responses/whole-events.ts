import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { EventStream } from './event-replay.ts'
import { encodeEvent, type ResponseEvent } from './response-event.ts'
import { eventsOfItem } from './whole-item-events.ts'

/**
 * Returns the events of a response that has ended, in whole texts. They are made one by one as they are read.
 *
 * @param after the number of the last event that the client has got. Then only the last event follows, with the whole
 *   response: how many events the response had is unknown.
 */
export const wholeEvents = (response: JsonObject, after: number | undefined): EventStream => ({
  attach(sink) {
    const events = after === undefined ? eventsOf(response) : [lastEvent(response)].values()
    let sequence = after === undefined ? 0 : after + 1
    let isClosed = false
    const resume = () => {
      while (!isClosed) {
        const next = events.next()
        if (next.done) {
          isClosed = true
          sink.end()
        } else if (!sink.write(encodeEvent(next.value, sequence++))) return
      }
    }
    resume()
    return {
      resume,
      close() {
        isClosed = true
      },
    }
  },
  cancel: () => undefined,
})

function* eventsOf(response: JsonObject): Generator<ResponseEvent, undefined> {
  const running = { ...response, error: null, incomplete_details: null, output: [], usage: null }
  const queued = { response: { ...running, status: 'queued' } }
  yield { type: 'response.created', fields: queued }
  yield { type: 'response.queued', fields: queued }
  yield { type: 'response.in_progress', fields: { response: { ...running, status: 'in_progress' } } }
  const output: readonly unknown[] = Array.isArray(response.output) ? response.output : []
  for (const [index, item] of output.entries()) if (isObject(item)) yield* eventsOfItem(item, index)
  yield lastEvent(response)
  return undefined
}

/** Returns the event with which a response has ended. */
export const lastEvent = (response: JsonObject): ResponseEvent => ({
  type: `response.${String(response.status ?? 'completed')}`,
  fields: { response },
})

import { ProviderFailure } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, parseJson } from '@trivium/provider-kit/answers'
import { createParser } from 'eventsource-parser'

/** The most characters of one event. */
const MAX_EVENT_LENGTH = 16 * 2 ** 20

/**
 * Parses the events of a message stream from its bytes.
 *
 * @throws ProviderFailure for an event that is not a JSON object or is too long
 */
export async function* messageEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly JsonObject[]> {
  let events: JsonObject[] = []
  let broken = false
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => {
      const event = parseJson(data)
      if (isObject(event)) events.push(event)
      else broken = true
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') broken = true
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (events.length > 0) yield events
    events = []
    if (broken) {
      throw new ProviderFailure({ type: 'malformed', message: 'The upstream sent an invalid event.' })
    }
  }
}

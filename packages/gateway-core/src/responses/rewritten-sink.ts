import { isObject } from '../chat/is-object.ts'
import type { ByteSink } from '../chat/streams/byte-sink.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { encodeEvent, readEvent, splitEvents } from './response-event.ts'

/** The types of events that have a response, as a member or as the name. */
const STATED =
  /(?:"type"\s{0,64}:\s{0,64}"|(?:^|[\r\n])event:[ \t]{0,64})response\.(?:created|queued|in_progress|completed|incomplete|cancelled|failed)\b/

const decoder = new TextDecoder()

/** Makes a sink that changes the responses in the events it gets. Others pass as they came, and are not parsed. */
export const rewrittenSink = (sink: ByteSink, restate: (response: JsonObject) => JsonObject): ByteSink => ({
  write(chunk) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk)
    if (!STATED.test(text)) return sink.write(chunk)
    const events = splitEvents(chunk).map((event) => rewritten(event, restate))
    return sink.write(events.join(''))
  },
  end: () => sink.end(),
})

function rewritten(text: string, restate: (response: JsonObject) => JsonObject): string {
  const event = STATED.test(text) ? readEvent(text) : undefined
  if (!event || !isObject(event.fields.response)) return text
  return encodeEvent({ ...event, fields: { ...event.fields, response: restate(event.fields.response) } })
}

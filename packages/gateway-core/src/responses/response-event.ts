import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { EventFramer } from '../chat/streams/event-framer.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { eventFields } from '../dialects/streams/event-fields.ts'

/** An event of a response. */
export interface ResponseEvent {
  readonly type: string
  readonly fields: JsonObject
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Line ends in a name would begin other events. */
const NAME = /^[\w.-]{1,128}$/

/** Encodes an event. @param sequence its number, `undefined` for that of `fields` */
export function encodeEvent({ type, fields }: ResponseEvent, sequence?: number): string {
  const numbered = sequence === undefined ? { ...fields, type } : { ...fields, type, sequence_number: sequence }
  const name = NAME.test(type) ? `event: ${type}\n` : ''
  return `${name}data: ${JSON.stringify(numbered)}\n\n`
}

/** Splits a chunk of whole events. The last one may lack its blank line. */
export function splitEvents(chunk: Uint8Array | string): readonly string[] {
  const framer = new EventFramer()
  const block = framer.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  const texts: string[] = []
  let start = 0
  for (const end of block?.ends ?? []) {
    texts.push(decoder.decode(block?.bytes.subarray(start, end)))
    start = end
  }
  const rest = framer.rest()
  return rest.length === 0 ? texts : [...texts, decoder.decode(rest)]
}

/** Reads an event. @returns `undefined` for a comment, and for data that is not an event of a response */
export function readEvent(text: string): ResponseEvent | undefined {
  const { name, data } = eventFields(text)
  const fields = data === undefined ? undefined : parseJson(data)
  if (!isObject(fields)) return undefined
  const type = typeof fields.type === 'string' ? fields.type : name
  return type === undefined || !NAME.test(type) ? undefined : { type, fields }
}

import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { JsonObject } from '../dialect.ts'
import { eventFields } from './event-fields.ts'
import type { StreamEvent } from './stream-protocol.ts'

/** The events of a protocol whose events have names, in `event:` and in the `type` of their data. */
export interface NamedEvents {
  /** Returns whether all events of a text are of other types than the relevant ones. */
  arePlain(text: string): boolean
  read(text: string, parseAll: boolean): StreamEvent
}

const nothingRead: StreamEvent = { type: 'nothing' }
const plainChunk: StreamEvent = { type: 'chunk', value: undefined }
const unreadable: StreamEvent = { type: 'unreadable' }

/**
 * Quotes inside JSON strings are escaped, so a match of `type` is always a member.
 *
 * @param relevant the types that are parsed, as the alternatives of a regular expression
 * @param classify reads an event by its type
 */
export function namedEvents(relevant: string, classify: (type: string, value: JsonObject) => StreamEvent): NamedEvents {
  const member = `"type"\\s*:\\s*"(?:${relevant})"`
  const name = `(?:^|[\\r\\n])event:[ \\t]*(?:${relevant})`
  const RELEVANT = new RegExp(`${member}|${name}`)
  const NOT_PLAIN = new RegExp(`${member}|${name}|(?:^|[\\r\\n])(?!data:|event:|[\\r\\n]|$)|data:[ \\t]*\\[DONE\\]`)
  return {
    arePlain: (text) => !NOT_PLAIN.test(text),
    read(text, parseAll) {
      if (!parseAll && !NOT_PLAIN.test(text)) return plainChunk
      const { name, data } = eventFields(text)
      if (data === undefined || data === '[DONE]') return nothingRead
      if (!parseAll && !RELEVANT.test(text)) return plainChunk
      const value = parseJson(data)
      if (!isObject(value)) return name === 'error' ? { type: 'error', value: value ?? data, last: true } : unreadable
      const type = typeof value.type === 'string' ? value.type : name
      // Servers that fail before they speak the protocol send the error of their own.
      if (type === undefined) return value.error ? { type: 'error', value: value.error, last: true } : unreadable
      return classify(type, value)
    },
  }
}

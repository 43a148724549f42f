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
 * @param relevant the types that are parsed
 * @param classify reads an event by its type
 */
export function namedEvents(
  relevant: readonly string[],
  classify: (type: string, value: JsonObject) => StreamEvent,
): NamedEvents {
  const types = new Set(relevant)
  const anyOf = relevant.map((type) => type.replaceAll('.', '\\.')).join('|')
  const member = `"type"\\s*:\\s*"(?:${anyOf})"`
  const name = `(?:^|[\\r\\n])event:[ \\t]*(?:${anyOf})`
  const RELEVANT = new RegExp(`${member}|${name}`)
  const NOT_PLAIN = new RegExp(`${member}|${name}|(?:^|[\\r\\n])(?!data:|event:|[\\r\\n]|$)|data:[ \\t]*\\[DONE\\]`)
  const arePlain = (text: string): boolean => {
    const start = endOfUsual(text, types)
    return start === text.length || !NOT_PLAIN.test(start === 0 ? text : text.slice(start))
  }
  return {
    arePlain,
    read(text, parseAll) {
      if (!parseAll && arePlain(text)) return plainChunk
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

const NAME = 'event: '
const DATA = 'data: {"type":"'
const LINE_FEED = 10
const QUOTE = 34

/**
 * Returns where the events end that are written as the vendors write them, a name and a line of data that begins with the
 * same type, and that are of other types than the relevant ones. A regular expression takes longer.
 */
function endOfUsual(text: string, relevant: ReadonlySet<string>): number {
  if (text.includes('\r')) return 0
  for (let start = 0; ; ) {
    if (!text.startsWith(NAME, start)) return start
    const nameEnd = text.indexOf('\n', start)
    const type = text.slice(start + NAME.length, nameEnd)
    const typeAt = nameEnd + 1 + DATA.length
    const typeEnd = typeAt + type.length
    if (relevant.has(type) || !text.startsWith(DATA, nameEnd + 1) || !text.startsWith(type, typeAt)) return start
    const end = text.indexOf('\n', typeEnd)
    if (end < 0 || text.charCodeAt(typeEnd) !== QUOTE || text.charCodeAt(end + 1) !== LINE_FEED) return start
    start = end + 2
  }
}

import { isObject } from '../is-object.ts'
import { parseJson } from '../parse-json.ts'

/** What one event says, as far as the gateway has to know. */
export type StreamEvent =
  /** Comments, and events without data. */
  | { readonly type: 'nothing' }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly value: unknown }
  /** `value` is parsed only where something in it matters; `undefined` otherwise. */
  | { readonly type: 'chunk'; readonly value: unknown }
  /** Data that is no JSON object. */
  | { readonly type: 'unreadable' }

const nothingRead: StreamEvent = { type: 'nothing' }
const doneRead: StreamEvent = { type: 'done' }
const unreadableChunk: StreamEvent = { type: 'unreadable' }
const plainChunk: StreamEvent = { type: 'chunk', value: undefined }

/** Inside a JSON text, quotes are escaped: so these can only be members. */
const MATTERS = /"(?:usage|finish_reason|error)"\s*:\s*[{"]|"x_groq"/

/** What has to be looked at event by event: whatever {@link readEvent} does not take for a plain chunk, and some more. */
const NOTEWORTHY = /"(?:usage|finish_reason|error)"\s*:\s*[{"]|"x_groq"|\[DONE\]|(?:^|[\r\n])(?!data:|[\r\n]|$)/

/** Whether every event of a text, however many it has, is a chunk in which nothing but a piece of the answer matters. */
export const arePlainChunks = (text: string): boolean => !NOTEWORTHY.test(text)

/** @param parseAll parses the data also where nothing in it seems to matter */
export function readEvent(text: string, parseAll: boolean): StreamEvent {
  const { name, data } = fieldsOf(text)
  if (data === undefined) return nothingRead
  if (data === '[DONE]') return doneRead
  if (!parseAll && name !== 'error' && !MATTERS.test(data)) return plainChunk
  const value = parseJson(data)
  if (isObject(value) && value.error) return { type: 'error', value: value.error }
  if (name === 'error') return { type: 'error', value: value ?? data }
  return isObject(value) ? { type: 'chunk', value } : unreadableChunk
}

interface Fields {
  readonly name: string | undefined
  readonly data: string | undefined
}

function fieldsOf(text: string): Fields {
  if (text.startsWith('data:')) {
    const end = text.search(LINE_END)
    if (end >= 0 && text.slice(end).search(NOT_LINE_END) < 0)
      return { name: undefined, data: text.slice(5, end).trim() }
  }
  return fieldsOfLines(text)
}

const LINE_END = /[\r\n]/
const NOT_LINE_END = /[^\r\n]/

function fieldsOfLines(text: string): Fields {
  let name: string | undefined
  let data: string | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line.startsWith('data:')) data = data === undefined ? line.slice(5) : `${data}\n${line.slice(5)}`
    else if (line.startsWith('event:')) name = line.slice(6).trim()
  }
  return { name, data: data?.trim() }
}

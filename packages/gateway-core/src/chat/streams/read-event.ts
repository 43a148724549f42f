import { isObject } from '../is-object.ts'
import { parseJson } from '../parse-json.ts'

/** One event of a stream, as far as the gateway reads it. */
export type StreamEvent =
  /** A comment, or an event without data. */
  | { readonly type: 'nothing' }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly value: unknown }
  /** `value` is parsed only where the gateway needs it, and `undefined` otherwise. */
  | { readonly type: 'chunk'; readonly value: unknown }
  /** Data that is not a JSON object. */
  | { readonly type: 'unreadable' }

const nothingRead: StreamEvent = { type: 'nothing' }
const doneRead: StreamEvent = { type: 'done' }
const unreadableChunk: StreamEvent = { type: 'unreadable' }
const plainChunk: StreamEvent = { type: 'chunk', value: undefined }

/** Quotes inside JSON strings are escaped, so a match is always a member. */
const RELEVANT = /"(?:usage|finish_reason|error)"\s*:\s*[{"]|"x_groq"/

/** Matches every text with an event that {@link readEvent} does not return as a plain chunk, and some more. */
const NOT_PLAIN = /"(?:usage|finish_reason|error)"\s*:\s*[{"]|"x_groq"|\[DONE\]|(?:^|[\r\n])(?!data:|[\r\n]|$)/

/** Returns whether all events of a text are chunks with only a part of the answer. */
export const arePlainChunks = (text: string): boolean => !NOT_PLAIN.test(text)

/** @param parseAll whether to parse the data even where the text seems irrelevant */
export function readEvent(text: string, parseAll: boolean): StreamEvent {
  const { name, data } = fieldsOf(text)
  if (data === undefined) return nothingRead
  if (data === '[DONE]') return doneRead
  if (!parseAll && name !== 'error' && !RELEVANT.test(data)) return plainChunk
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

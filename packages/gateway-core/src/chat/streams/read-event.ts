import { eventFields } from '../../dialects/streams/event-fields.ts'
import type { StreamEvent } from '../../dialects/streams/stream-protocol.ts'
import { isObject } from '../is-object.ts'
import { parseJson } from '../parse-json.ts'

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
  const { name, data } = eventFields(text)
  if (data === undefined) return nothingRead
  if (data === '[DONE]') return doneRead
  if (!parseAll && name !== 'error' && !RELEVANT.test(data)) return plainChunk
  const value = parseJson(data)
  if (isObject(value) && value.error) return { type: 'error', value: value.error }
  if (name === 'error') return { type: 'error', value: value ?? data }
  return isObject(value) ? { type: 'chunk', value } : unreadableChunk
}

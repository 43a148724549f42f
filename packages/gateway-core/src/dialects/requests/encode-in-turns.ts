import { byteLength } from '../../byte-length.ts'
import { isObject } from '../../chat/is-object.ts'
import { Turns } from '../../turns.ts'
import type { JsonObject } from '../dialect.ts'
import { jsonLength } from './json-length.ts'
import { PIECE, textPieces } from './text-pieces.ts'

/** Pieces of JSON that are encoded together. */
const MOST_PIECES = 5_000
/** Below it, a body is encoded by its provider. A half of a character takes fifty times as long as another. */
const LARGE = 2 ** 19

/**
 * Encodes a large body as JSON in several turns of the event loop; `undefined` for other bodies.
 *
 * @throws the reason of the signal, in the turn after it is aborted
 */
export async function encodeInTurns(body: JsonObject, signal?: AbortSignal): Promise<Uint8Array | undefined> {
  if (jsonLength(body) <= LARGE) return undefined
  const encoder = new TextEncoder()
  const turns = new Turns(signal)
  const parts: Uint8Array[] = []
  let size = 0
  let text = ''
  let pieces = 0
  await turns.next()
  const flush = () => {
    const part = encoder.encode(text)
    parts.push(part)
    size += part.length
    text = ''
    pieces = 0
  }
  for (const piece of jsonPieces(body)) {
    text += piece
    pieces += 1
    if (text.length < PIECE && pieces < MOST_PIECES) continue
    flush()
    if (turns.isDue) await turns.next()
  }
  flush()
  await turns.next()
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns the JSON of a value and its length in UTF-8. It is written in several turns of the event loop where it is large. */
export async function jsonInTurns(value: unknown): Promise<{ readonly text: string; readonly bytes: number }> {
  const encoded = (await encodeInTurns({ value }))?.subarray(START.length, -END.length)
  if (encoded) return { text: new TextDecoder().decode(encoded), bytes: encoded.length }
  const text = JSON.stringify(value)
  return { text, bytes: byteLength(text) }
}

const START = '{"value":'
const END = '}'

/** Yields the JSON of a value, as `JSON.stringify` writes it. */
function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value)
  else if (Array.isArray(value)) yield* listPieces(value)
  else if (isObject(value)) yield* objectPieces(value)
  else yield JSON.stringify(value) ?? 'null'
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  for (const [index, value] of list.entries()) {
    yield index === 0 ? '[' : ','
    yield* jsonPieces(value)
  }
  yield list.length === 0 ? '[]' : ']'
}

function* objectPieces(object: JsonObject): Generator<string> {
  let open = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield open
    yield* stringPieces(name)
    yield ':'
    yield* jsonPieces(value)
    open = ','
  }
  yield open === '{' ? '{}' : '}'
}

function* stringPieces(text: string): Generator<string> {
  if (text.length <= PIECE) {
    yield JSON.stringify(text)
    return
  }
  yield '"'
  for (const piece of textPieces(text)) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}

import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { jsonLength } from './json-length.ts'
import { nextTurn } from './next-turn.ts'
import { PIECE, textPieces } from './text-pieces.ts'

/** Pieces of JSON that one turn of the event loop writes. */
const MOST_PIECES = 5_000
/** Below it, a body is encoded by its provider. */
const LARGE = 2 ** 21

/**
 * Encodes a large body as JSON in several turns of the event loop; `undefined` for other bodies.
 *
 * @throws the reason of the signal, in the turn after it is aborted
 */
export async function encodeInTurns(body: JsonObject, signal?: AbortSignal): Promise<Uint8Array | undefined> {
  if (jsonLength(body) <= LARGE) return undefined
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let size = 0
  let text = ''
  let pieces = 0
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
    await nextTurn()
    signal?.throwIfAborted()
  }
  flush()
  await nextTurn()
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns the JSON of a value, which is written in several turns of the event loop where it is large. */
export async function jsonInTurns(value: unknown): Promise<string> {
  const bytes = await encodeInTurns({ value })
  return bytes ? new TextDecoder().decode(bytes.subarray(START.length, -END.length)) : JSON.stringify(value)
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

import { isObject } from '../chat/is-object.ts'
import { nextTurn } from '../dialects/requests/next-turn.ts'

/** What one turn of the event loop writes. */
const MOST_PIECES = 5_000
const MOST_CHARACTERS = 2 ** 17

/**
 * Writes a value as JSON whose members are in the order of their names, in several turns of the event loop where it is large.
 * Numbers are written by value and texts exactly. Members that are `undefined` are left out.
 *
 * @returns `undefined` where a number is not exact, so that several texts of it would have one form
 */
export async function canonicalForm(value: unknown): Promise<string | undefined> {
  let form = ''
  let pieces = 0
  let turnEnds = MOST_CHARACTERS
  for (const piece of piecesOf(value)) {
    if (piece === undefined) return undefined
    form += piece
    pieces += 1
    if (pieces < MOST_PIECES && form.length < turnEnds) continue
    await nextTurn()
    pieces = 0
    turnEnds = form.length + MOST_CHARACTERS
  }
  return form
}

function* piecesOf(value: unknown): Generator<string | undefined> {
  if (typeof value === 'number') yield isExact(value) ? String(value) : undefined
  else if (Array.isArray(value)) yield* listPieces(value)
  else if (isObject(value)) yield* objectPieces(value)
  else yield JSON.stringify(value) ?? 'null'
}

function* listPieces(list: readonly unknown[]): Generator<string | undefined> {
  let open = '['
  for (const value of list) {
    yield open
    yield* piecesOf(value)
    open = ','
  }
  yield open === '[' ? '[]' : ']'
}

function* objectPieces(object: Readonly<Record<string, unknown>>): Generator<string | undefined> {
  let open = '{'
  for (const name of Object.keys(object).sort()) {
    const value = object[name]
    if (value === undefined) continue
    yield `${open}${JSON.stringify(name)}:`
    yield* piecesOf(value)
    open = ','
  }
  yield open === '{' ? '{}' : '}'
}

const isExact = (value: number): boolean =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)

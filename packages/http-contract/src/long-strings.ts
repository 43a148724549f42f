import { endOfString, isName } from './body-values.ts'
import { objectsIn } from './objects-in.ts'
import { nextTurn } from './turns.ts'

/** How a JSON text is taken apart, in bytes. */
export interface Lengths {
  /** Strings of this length and above are decoded apart from the text. */
  readonly long: number
  /** The length of the pieces that a long string is decoded in. The memory of longer ones takes more time than the copy. */
  readonly piece: number
}

const ownLengths: Lengths = { long: 2 ** 10, piece: 2 ** 16 }

/** The bytes that one turn of the event loop decodes. */
const BYTES_OF_TURN = 2 ** 20

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
/** The bytes of the longest escape. */
const ESCAPE = 6
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Keeps byte order marks, which are characters within a string. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A JSON text without its long strings. */
export interface ShortText {
  /** The text, with a mark of its own in the place of each long string. */
  readonly text: string
  /** Puts the long strings into the parsed value of the text. */
  readonly restore: (value: unknown) => unknown
}

/**
 * Decodes a JSON text, its long strings in turns of the event loop and apart from the rest, which leaves little for the one turn
 * that parses it. Names of members stay where they are.
 *
 * @throws SyntaxError where a long string is not valid JSON
 * @throws TypeError where the text is not UTF-8
 */
export async function withoutLongStrings(bytes: Uint8Array, { long, piece }: Lengths = ownLengths): Promise<ShortText> {
  const strings = new Map<string, string>()
  const marks = crypto.randomUUID()
  let text = ''
  let rest = byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0
  let due = BYTES_OF_TURN
  for (let start = bytes.indexOf(QUOTE); start >= 0; ) {
    const end = endOfString(bytes, start)
    if (end >= bytes.length) throw new SyntaxError('Unterminated string in JSON')
    if (end - start > long && !isName(bytes, end)) {
      const mark = `${marks}${strings.size}`
      strings.set(mark, await decodedIn(bytes.subarray(start + 1, end), piece))
      text += `${decoder.decode(bytes.subarray(rest, start + 1))}${mark}`
      rest = end
    }
    if (end > due) {
      await nextTurn()
      due = end + BYTES_OF_TURN
    }
    start = bytes.indexOf(QUOTE, end + 1)
  }
  text += decoder.decode(bytes.subarray(rest))
  return { text, restore: (value) => restored(value, strings) }
}

/** Decodes the content of a string in pieces, and a long one in turns of the event loop. */
async function decodedIn(content: Uint8Array, piece: number): Promise<string> {
  const decoded: unknown[] = []
  let due = BYTES_OF_TURN
  for (let from = 0; from < content.length; ) {
    const to = endOfPiece(content, from, from + piece)
    // A parser refuses unescaped control characters, also where there are no escapes.
    decoded.push(JSON.parse(`"${decoder.decode(content.subarray(from, to))}"`))
    from = to
    if (from <= due) continue
    await nextTurn()
    due = from + BYTES_OF_TURN
  }
  if (content.length > BYTES_OF_TURN) await nextTurn()
  // A string of parts would be copied into one by its first reader, whose turn it would lengthen.
  return decoded.join('')
}

/** The end of a piece that divides neither a character nor an escape. */
function endOfPiece(content: Uint8Array, from: number, most: number): number {
  if (most >= content.length) return content.length
  let to = most
  while (to > from && ((content[to] ?? 0) & 0xc0) === 0x80) to -= 1
  const backslash = content.subarray(from, to).lastIndexOf(BACKSLASH) + from
  if (backslash >= from && backslash > to - ESCAPE) {
    let before = backslash
    while (before > from && content[before - 1] === BACKSLASH) before -= 1
    // The last of an odd number of backslashes starts an escape.
    if ((backslash - before) % 2 === 0) to = backslash
  }
  // Only a text that is not UTF-8 has so many bytes within one character.
  return to > from ? to : most
}

function restored(value: unknown, strings: ReadonlyMap<string, string>): unknown {
  const of = (member: unknown) => (typeof member === 'string' ? strings.get(member) : undefined) ?? member
  for (const object of objectsIn(value)) {
    for (const [name, member] of Object.entries(object))
      if (of(member) !== member) Reflect.set(object, name, of(member))
  }
  return of(value)
}

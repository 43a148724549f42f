import { joinBytes } from '../join-bytes.ts'
import { nextTurn } from '../next-turn.ts'

/** The characters that are encoded in one turn of the event loop. */
const CHUNK = 2 ** 18

/**
 * Encodes JSON in several turns of the event loop.
 *
 * @param parts texts that make up the JSON, in their order
 */
export async function encodeInTurns(parts: Iterable<string>): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < CHUNK) continue
    chunks.push(encoder.encode(text))
    text = ''
    await nextTurn()
  }
  chunks.push(encoder.encode(text))
  return joinBytes(chunks)
}

/** Yields the JSON of a list, one item at a time. */
export function* jsonList<T>(items: readonly T[], toWire: (item: T) => object): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(toWire(item))}`
  yield ']'
}

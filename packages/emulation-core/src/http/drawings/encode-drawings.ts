import type { Drawing } from '../../index.ts'
import { nextTurn } from '../../next-turn.ts'
import { toWireDrawing } from './to-wire-drawing.ts'

/** The characters of SVG that are encoded in one turn of the event loop. */
const CHUNK = 2 ** 20

/** Encodes a list of drawings as JSON, a long one in several turns of the event loop. */
export async function encodeDrawings(drawings: readonly Drawing[]): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let text = '['
  for (const [index, drawing] of drawings.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(toWireDrawing(drawing))}`
    if (text.length < CHUNK) continue
    parts.push(encoder.encode(text))
    text = ''
    await nextTurn()
  }
  parts.push(encoder.encode(`${text}]`))
  return joined(parts)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

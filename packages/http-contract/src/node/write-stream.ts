import type { ServerResponse } from 'node:http'
import { closeIterator } from '../reply-without-body.ts'
import { cutOff } from './cut-off.ts'
import { flusherOf, flushHeadersSoon } from './flush-chunk.ts'

/**
 * Writes chunks as fast as the client reads them, and requests the next chunk only then. Closes the iterator
 * immediately if the client disconnects. Cuts the connection if the source fails, so that the client sees that the
 * answer is incomplete.
 */
export async function writeStream(response: ServerResponse, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  const flush = flusherOf(response)
  let begun = false
  let over = false
  let proceed: (() => void) | undefined
  response.on('drain', () => proceed?.())
  response.on('close', () => {
    if (!over) closeIterator(iterator)
    over = true
    proceed?.()
  })
  flushHeadersSoon(response, () => begun)
  try {
    while (!over) {
      const { done, value } = await iterator.next()
      if (over) return
      begun = true
      if (done) {
        over = true
        response.end()
        return
      }
      const keepsUp = response.write(value)
      flush?.()
      if (keepsUp) continue
      await new Promise<void>((resolve) => {
        proceed = resolve
      })
    }
  } catch {
    over = true
    cutOff(response)
  }
}

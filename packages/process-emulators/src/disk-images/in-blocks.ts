import { setImmediate as nextTurn } from 'node:timers/promises'

const BLOCK_BYTES = 256 * 1024
/** Chunks that are copied in one turn of the event loop. */
const CHUNKS_OF_A_TURN = 1024

/**
 * Joins small chunks, as each block costs a write. Other work has its turns also where a client sends chunks of a byte.
 * What arrived before the source fails is passed on first.
 */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let filled = 0
  let count = 0
  try {
    for await (const chunk of chunks) {
      count += 1
      if (count % CHUNKS_OF_A_TURN === 0) await nextTurn()
      if (filled + chunk.length > BLOCK_BYTES) {
        if (filled > 0) yield block.subarray(0, filled)
        filled = 0
      }
      if (chunk.length >= BLOCK_BYTES) yield chunk
      else {
        block.set(chunk, filled)
        filled += chunk.length
      }
    }
  } catch (error) {
    if (filled > 0) yield block.subarray(0, filled)
    throw error
  }
  if (filled > 0) yield block.subarray(0, filled)
}

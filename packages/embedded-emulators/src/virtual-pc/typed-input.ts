/** Bytes that are processed in one turn of the event loop, so that others get turns. */
const BYTES_OF_ATURN = 256

/** Bytes that can wait. Further ones are dropped, as in a terminal whose buffer is full. */
const MOST_AHEAD = 64 * 1024

/** Passes on typed bytes in order: immediately up to the limit of a turn, the rest in the next turns. */
export function createTypedInput(take: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let ahead = Buffer.alloc(0)
  let left = BYTES_OF_ATURN
  let isTurnAhead = false

  const takeSome = () => {
    const some = ahead.subarray(0, left)
    ahead = ahead.subarray(some.length)
    left -= some.length
    if (some.length > 0) take(some)
  }
  const nextTurn = () => {
    left = BYTES_OF_ATURN
    isTurnAhead = ahead.length > 0
    if (isTurnAhead) setImmediate(nextTurn)
    takeSome()
  }
  return (bytes) => {
    ahead = Buffer.concat([ahead, bytes], Math.min(ahead.length + bytes.length, left + MOST_AHEAD))
    if (!isTurnAhead) setImmediate(nextTurn)
    isTurnAhead = true
    takeSome()
  }
}

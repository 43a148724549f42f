/** Bytes that are processed in one turn of the event loop, so that others get turns. */
const BYTES_PER_TURN = 256

/** Bytes that can wait. Further ones are dropped, as in a terminal whose buffer is full. */
const MAX_AHEAD = 64 * 1024

/** Passes on typed bytes in order: immediately up to the limit of a turn, the rest in the next turns. */
export function createTypedInput(take: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let pendingInput = Buffer.alloc(0)
  let left = BYTES_PER_TURN
  let isTurnScheduled = false

  const deliverSome = () => {
    const some = pendingInput.subarray(0, left)
    pendingInput = pendingInput.subarray(some.length)
    left -= some.length
    if (some.length > 0) take(some)
  }
  const nextTurn = () => {
    left = BYTES_PER_TURN
    isTurnScheduled = pendingInput.length > 0
    if (isTurnScheduled) setImmediate(nextTurn)
    deliverSome()
  }
  return (bytes) => {
    pendingInput = Buffer.concat([pendingInput, bytes], Math.min(pendingInput.length + bytes.length, left + MAX_AHEAD))
    if (!isTurnScheduled) setImmediate(nextTurn)
    isTurnScheduled = true
    deliverSome()
  }
}

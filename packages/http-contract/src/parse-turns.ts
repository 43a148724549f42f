/** Parsing a smaller body takes less time than a turn of the event loop. */
const MIN_BYTES = 2 ** 16

let last: Promise<void> | undefined

/**
 * Waits until no other large body is being parsed and the event loop has run since. Bodies that arrive together take
 * one turn of the event loop each, so that other requests are answered in between.
 *
 * @param bytes the size of the body
 * @returns a function that ends the turn; `undefined` for a body below 64 KiB
 */
export function parseTurn(bytes: number): Promise<() => void> | undefined {
  if (bytes < MIN_BYTES) return undefined
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  // A timer that is set now expires only after the event loop has polled for other requests.
  const end = () =>
    void setTimeout(() => {
      if (last === promise) last = undefined
      resolve()
    })
  return before === undefined ? Promise.resolve(end) : before.then(() => end)
}

/** Smaller bodies take less time than a turn costs. */
const LEAST_BYTES = 2 ** 16

let last: Promise<void> | undefined

/**
 * Waits until no other large body is parsed, and the event loop had a turn since: bodies that arrive together take one
 * turn each, so that other requests are answered in between.
 *
 * @returns what ends the turn; `undefined` where the body is small
 */
export function parseTurn(bytes: number): Promise<() => void> | undefined {
  if (bytes < LEAST_BYTES) return undefined
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  // A timer that is set after the work expires after the event loop has polled: until then others wait.
  const end = () =>
    void setTimeout(() => {
      if (last === promise) last = undefined
      resolve()
    })
  return before === undefined ? Promise.resolve(end) : before.then(() => end)
}

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a later turn of the event loop, after other requests were served. Each turn resolves one call, so that
 * pieces of work of several requests never run in the same turn.
 */
export function nextTurn(): Promise<void> {
  // A timer that is set now expires only after the event loop has polled for other requests.
  last = last.then(() => new Promise((resolve) => setTimeout(resolve)))
  return last
}

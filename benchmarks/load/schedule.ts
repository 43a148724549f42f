/** The times at which requests are due, at a constant rate. */
export interface Schedule {
  /** The number of requests. */
  readonly count: number
  /** Returns when a request is due, in milliseconds after the first. */
  dueMs(index: number): number
  /** Returns how many requests are due so many milliseconds after the first. */
  dueBy(elapsedMs: number): number
}

/** Each time is computed from the beginning, so that no error adds up and no delay moves the next ones. */
export function constantRate(perSecond: number, seconds: number): Schedule {
  if (!(perSecond > 0 && seconds > 0)) throw new RangeError('A rate and its time must be more than 0.')
  const count = Math.max(1, Math.round(perSecond * seconds))
  const intervalMs = 1000 / perSecond
  return {
    count,
    dueMs: (index) => index * intervalMs,
    dueBy: (elapsedMs) => (elapsedMs < 0 ? 0 : Math.min(count, Math.floor(elapsedMs / intervalMs) + 1)),
  }
}

/** Time and timers: everything here that waits takes one, so that tests decide how time passes. */
export interface Clock {
  /** Milliseconds since 1970 with fractions; never goes back. */
  readonly now: () => number
  /** Calls back once, not before that many milliseconds have passed. @returns what calls it off */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

/** The clock of this process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.ceil(milliseconds))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

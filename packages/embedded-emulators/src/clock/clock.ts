/** Time and timers. Everything in this package that waits takes a clock, so that tests control time. */
export interface Clock {
  /** Milliseconds since 1970 with fractions; never decreases. */
  readonly now: () => number
  /** Calls back once, when at least that many milliseconds have passed. @returns a function that cancels it */
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

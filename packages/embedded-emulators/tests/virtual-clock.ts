import type { Clock } from '../src/clock/clock.ts'

/** A clock that moves only by `advance` and `pass`. */
export interface VirtualClock extends Clock {
  /** Moves the time and runs the timers that fall due, in order, each at its own time. */
  advance(milliseconds: number): void
  /** Moves the time as `advance`. Settles promises and deferred deliveries after each timer. */
  pass(milliseconds: number): Promise<void>
  /** Timers that are set. */
  readonly timers: number
}

/** Creates a clock. @param start milliseconds since 1970. @default 2030-01-01 */
export const createVirtualClock = (start = Date.UTC(2030, 0, 1)): VirtualClock => {
  interface Timer {
    readonly at: number
    readonly order: number
    readonly callback: () => void
  }
  let now = start
  let order = 0
  const timers = new Set<Timer>()

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined
    for (const timer of timers) {
      if (timer.at > until) continue
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
    }
    return next
  }

  const step = (until: number): boolean => {
    const timer = nextDue(until)
    if (timer === undefined) return false
    timers.delete(timer)
    now = Math.max(now, timer.at)
    timer.callback()
    return true
  }

  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    after(milliseconds, callback) {
      order += 1
      const timer = { at: now + Math.max(0, milliseconds), order, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(milliseconds) {
      const until = now + milliseconds
      while (step(until));
      now = until
    },
    async pass(milliseconds) {
      const until = now + milliseconds
      await settle()
      while (step(until)) await settle()
      now = until
    },
    get timers() {
      return timers.size
    },
  }
}

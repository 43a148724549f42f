import type { Activity, NewActivity } from './activity.ts'

export interface ActivityLog {
  /** The number of the last activity; 0 before the first. */
  last(): number
  /** Numbers and dates the activity, and drops the oldest one above the size of the log. */
  add(activity: NewActivity): void
  /**
   * Yields the kept activities after that number, then each new one, until the signal aborts. A reader that is slower
   * than the log drops misses the oldest: the numbers then have a gap.
   */
  read(after: number, signal: AbortSignal): AsyncGenerator<Activity, void, undefined>
}

/** Creates a log of the last `size` activities, by default 200. It queues nothing for readers: each has only a number. */
export function createActivityLog({ size = 200, now = () => new Date() } = {}): ActivityLog {
  const kept: Activity[] = []
  let last = 0
  const waiting = new Set<() => void>()
  return {
    last: () => last,
    add(activity) {
      last += 1
      kept.push({ ...activity, number: last, at: now().toISOString() })
      if (kept.length > size) kept.shift()
      for (const wake of waiting) wake()
    },
    async *read(after, signal) {
      // A number above the last one is from an earlier process.
      let read = after > last ? 0 : after
      while (!signal.aborted) {
        const next = kept.find(({ number }) => number > read)
        if (next) {
          read = next.number
          yield next
        } else await untilAdded(signal)
      }
    },
  }

  function untilAdded(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

import type { Activity, NewActivity } from './activity.ts'

export interface ActivityLog {
  /** The number of the last activity; 0 before the first. */
  last(): number
  add(activity: NewActivity): void
  /**
   * What is kept after that number, and then everything that is added, until the signal aborts. A reader that falls
   * further behind than what is kept misses the oldest, and sees it by the numbers.
   */
  read(after: number, signal: AbortSignal): AsyncGenerator<Activity, void, undefined>
}

/** Keeps the last activities, however many read them: a reader is a number, nothing is queued for it. */
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
      // A number of an earlier process is beyond all of this one.
      let read = after > last ? 0 : after
      while (!signal.aborted) {
        const next = kept.find(({ number }) => number > read)
        if (next) {
          read = next.number
          yield next
        } else await grown(signal)
      }
    },
  }

  function grown(signal: AbortSignal): Promise<void> {
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

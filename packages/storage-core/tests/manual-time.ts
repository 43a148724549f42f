import type { Scheduler } from '../src/scheduling/scheduler.ts'

/** A clock and timers that advance together. */
export interface ManualTime {
  readonly clock: { readonly now: () => Date; readonly advance: (seconds: number) => void }
  readonly scheduler: Scheduler
  /** Advances to a later time, and calls each timer that is due on the way, with what follows from it. */
  readonly run: (seconds: number) => Promise<void>
}

export function createManualTime(start = Date.UTC(2026, 0, 2, 3, 4, 5)): ManualTime {
  let time = start
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  }
  return {
    clock: {
      now: () => new Date(time),
      advance: (seconds) => {
        time += seconds * 1000
      },
    },
    scheduler: {
      after: (milliseconds, run) => {
        const key = {}
        timers.set(key, { at: time + milliseconds, run })
        return () => timers.delete(key)
      },
    },
    run: async (seconds) => {
      const end = time + seconds * 1000
      for (;;) {
        await settle()
        const [next] = [...timers].sort(([, left], [, right]) => left.at - right.at)
        if (!next || next[1].at > end) break
        time = Math.max(time, next[1].at)
        timers.delete(next[0])
        next[1].run()
      }
      time = end
    },
  }
}

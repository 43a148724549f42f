import { pause, type Scheduler } from './scheduler.ts'

/** A wait that can be ended early. */
export interface Alarm {
  /** Resolves after that time, when it rings, or immediately if it has rung since the last wait. */
  wait(milliseconds: number): Promise<void>
  ring(): void
}

/** @param signal ends every wait */
export function createAlarm(scheduler: Scheduler, signal: AbortSignal): Alarm {
  let waiting = new AbortController()
  const ring = () => waiting.abort()
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    wait: async (milliseconds) => {
      if (!signal.aborted) await pause(scheduler, milliseconds, waiting.signal)
      waiting = new AbortController()
    },
  }
}

/** The timers of a storage. A host or a test may supply its own. */
export interface Scheduler {
  /** Calls `run` once after that time, unless the returned function is called before. */
  after(milliseconds: number, run: () => void): () => void
}

export const timerScheduler: Scheduler = {
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Resolves after that time, or as soon as the signal aborts. */
export function pause(scheduler: Scheduler, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const stop = scheduler.after(milliseconds, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    const abort = () => {
      stop()
      resolve()
    }
    signal.addEventListener('abort', abort, { once: true })
  })
}

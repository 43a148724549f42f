import type { Clock } from './clock.ts'

/** Resolves after the time, or as soon as the signal aborts. @returns whether the time passed */
export const wait = (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const aborted = () => {
      cancel()
      resolve(false)
    }
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', aborted)
      resolve(true)
    })
    signal.addEventListener('abort', aborted, { once: true })
  })

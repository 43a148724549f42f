import { StoreFailure } from './store-failure.ts'

/** Receives a fault, with the id of its operation where it occurred in a request. */
export type FaultListener = (error: unknown, operation?: string) => void

/** In this time one fault of an operation is printed once. */
const PERIOD_MS = 10_000

/** The most faults that are distinguished within a period. Further ones are counted together. */
const MAX_FAULTS = 100

const NO_TEXT = 'The error cannot be converted to text.'

interface Printed {
  readonly at: number
  omitted: number
}

/**
 * Passes faults to the host, or to the console where the host has no `onFault`. Errors of `onFault` are ignored. One
 * `StoreFailure` is passed once, for any number of requests that it fails.
 */
export function createFaultReporter(onFault: FaultListener = consoleFaults()): FaultListener {
  const reported = new WeakSet<StoreFailure>()
  return (error, operation) => {
    if (StoreFailure.is(error)) {
      if (reported.has(error)) return
      reported.add(error)
    }
    try {
      onFault(error, operation)
    } catch {
      // There is no other place to report the error to.
    }
  }
}

/** Of equal faults of one operation it prints one in 10 seconds, with the number of those it left out. */
function consoleFaults(): FaultListener {
  const printed = new Map<string, Printed>()
  return (error, operation = 'Background work of the gateway') => {
    const now = performance.now()
    for (const [key, { at, omitted }] of printed) if (omitted === 0 && now - at >= PERIOD_MS) printed.delete(key)
    const fault = `${operation}: ${messageOf(error)}`
    const key = printed.has(fault) || printed.size < MAX_FAULTS ? fault : 'others'
    const last = printed.get(key)
    if (last && now - last.at < PERIOD_MS) {
      last.omitted += 1
      return
    }
    printed.set(key, { at: now, omitted: 0 })
    const repeats = last?.omitted ? ` (${last.omitted} more since the last line)` : ''
    const line = `${operation} has failed${repeats}:`
    try {
      console.error(line, error)
    } catch {
      console.error(line, NO_TEXT)
    }
  }
}

/** A failure of the store differs from others by its cause. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error && error.cause !== undefined ? `${error}: ${error.cause}` : String(error)
  } catch {
    return NO_TEXT
  }
}

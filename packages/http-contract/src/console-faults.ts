/** In this time one fault of an operation is printed once. */
const PERIOD_MS = 10_000

/** The most faults that are distinguished within a period. Further ones are counted together. */
const MAX_FAULTS = 100

const NO_TEXT = 'The error cannot be converted to text.'

interface Printed {
  readonly at: number
  omitted: number
}

/** What a printed fault says about its operation. */
export interface NamedOperation {
  /** @default 'GET', as for the upgrades of sockets */
  readonly method?: string
  readonly path: string
}

/**
 * Returns a listener that prints each fault to the console, after a line with its operation. Of equal faults of one
 * operation it prints one in 10 seconds, with the number of those it left out.
 */
export function consoleFaults(): (error: unknown, operation: NamedOperation, id: string) => void {
  const printed = new Map<string, Printed>()
  return (error, { method = 'GET', path }, id) => {
    const now = performance.now()
    for (const [key, { at, omitted }] of printed) if (omitted === 0 && now - at >= PERIOD_MS) printed.delete(key)
    const fault = `${id}: ${textOf(error)}`
    const key = printed.has(fault) || printed.size < MAX_FAULTS ? fault : 'others'
    const last = printed.get(key)
    if (last && now - last.at < PERIOD_MS) {
      last.omitted += 1
      return
    }
    printed.set(key, { at: now, omitted: 0 })
    const repeats = last?.omitted ? ` (${last.omitted} more since the last line)` : ''
    const line = `${method} ${path} (${id}) has failed${repeats}:`
    try {
      console.error(line, error)
    } catch {
      console.error(line, NO_TEXT)
    }
  }
}

function textOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return NO_TEXT
  }
}

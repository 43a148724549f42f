export interface LifetimeOptions<Report> {
  /** What starts and ends: `gateway`. */
  readonly name: string
  readonly start: () => Promise<Report>
  readonly close: () => Promise<void>
}

export interface Lifetime<Report> {
  /** Starts, once: later calls get the same report. A start that failed is tried again. After `close` it rejects. */
  start(): Promise<Report>
  /** Closes, once, and after a start that is under way. */
  close(): Promise<void>
}

/** What every service has between its creation and its end. */
export function createLifetime<Report>({ name, start, close }: LifetimeOptions<Report>): Lifetime<Report> {
  let starting: Promise<Report> | undefined
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await starting?.catch(() => undefined)
    await close()
  }
  return {
    start() {
      if (closing) return Promise.reject(new Error(`The ${name} is closed`))
      starting ??= start().catch((error) => {
        starting = undefined
        throw error
      })
      return starting
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

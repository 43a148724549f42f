export interface LifetimeOptions<Report> {
  /** What starts and ends: `gateway`. */
  readonly name: string
  readonly start: () => Promise<Report>
  readonly close: () => Promise<void>
  /** Gets what `close` rejects with. */
  readonly onFault: (error: unknown) => void
}

export interface Lifetime<Report> {
  /** Starts, once: later calls get the same report. A start that failed is tried again. After `close` it rejects. */
  start(): Promise<Report>
  /** Closes, once, and after a start that is under way. It never rejects. */
  close(): Promise<void>
  /** Whether `close` was called. */
  readonly isClosed: boolean
}

/** Rejects what is asked of a service after its `close`. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed'

  constructor(service: string) {
    super(`The ${service} is closed`)
  }

  /** Whether `thrown` is one, also where another copy of this package made it. */
  static is(thrown: unknown): thrown is ServiceClosed {
    return thrown instanceof Error && thrown.name === 'ServiceClosed'
  }
}

/** The same, without what a closed service refuses: that is not a fault. */
export const exceptClosed =
  <Rest extends readonly unknown[]>(onFault: (error: unknown, ...rest: Rest) => void) =>
  (error: unknown, ...rest: Rest): void => {
    if (!ServiceClosed.is(error)) onFault(error, ...rest)
  }

/** Takes one step after the other. What fails goes to `onFault`, and the steps after it are taken all the same. */
export async function endEach(onFault: (error: unknown) => void, ...steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (fault) {
      onFault(fault)
    }
  }
}

/** What every service has between its creation and its end. */
export function createLifetime<Report>({ name, start, close, onFault }: LifetimeOptions<Report>): Lifetime<Report> {
  let starting: Promise<Report> | undefined
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await starting?.catch(() => undefined)
    await endEach(onFault, close)
  }
  return {
    start() {
      if (closing) return Promise.reject(new ServiceClosed(name))
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
    get isClosed() {
      return closing !== undefined
    },
  }
}

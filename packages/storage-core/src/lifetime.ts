/** The name and the steps of a service's {@link Lifetime}. */
export interface LifetimeOptions<Report> {
  /** The name of the service in messages, such as `gateway`. */
  readonly name: string
  readonly start: () => Promise<Report>
  readonly close: () => Promise<void>
  /** Receives what `close` rejects with. */
  readonly onFault: (error: unknown) => void
}

/** The start and the end of a service. */
export interface Lifetime<Report> {
  /** Starts once. Later calls return the same report, and try again after a failed start. Rejects after `close`. */
  start(): Promise<Report>
  /** Closes once, after a start that is in progress. Never rejects. */
  close(): Promise<void>
  /** Whether `close` was called. */
  readonly isClosed: boolean
}

/** The error of a call of a service after its `close`. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed'

  constructor(service: string) {
    super(`The ${service} is closed`)
  }

  /** Whether `thrown` is a `ServiceClosed`, even of another copy of this package. */
  static is(thrown: unknown): thrown is ServiceClosed {
    return thrown instanceof Error && thrown.name === 'ServiceClosed'
  }
}

/** Returns a reporter that ignores {@link ServiceClosed}, which is not a fault. */
export const exceptClosed =
  <Rest extends readonly unknown[]>(onFault: (error: unknown, ...rest: Rest) => void) =>
  (error: unknown, ...rest: Rest): void => {
    if (!ServiceClosed.is(error)) onFault(error, ...rest)
  }

/** Runs steps one after the other. What a step throws goes to `onFault`, and the next steps still run. */
export async function endEach(onFault: (error: unknown) => void, ...steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (fault) {
      onFault(fault)
    }
  }
}

/** Creates the `start`, `close` and `isClosed` of a service. */
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

export interface LifetimeOptions<Report> {
  /** The name of the service in errors, such as `emulation`. */
  readonly name: string
  readonly start: () => Promise<Report>
  readonly close: () => Promise<void>
  /** Receives the error that `close` rejects with. */
  readonly onFault: (error: unknown) => void
}

/** The start and the end of a service. */
export interface Lifetime<Report> {
  /** Starts once: later calls return the same promise. A failed start is repeated. Rejects after `close`. */
  start(): Promise<Report>
  /** Closes once, after a running start has ended. Never rejects. */
  close(): Promise<void>
  /** Whether `close` was called, even if it has not ended. */
  readonly isClosed: boolean
}

/** The error of a service that is used after its `close`. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed'

  constructor(service: string) {
    super(`The ${service} is closed`)
  }

  /** Returns whether `thrown` is a `ServiceClosed`, also of another copy of this package. */
  static is(thrown: unknown): thrown is ServiceClosed {
    return thrown instanceof Error && thrown.name === 'ServiceClosed'
  }
}

/** Wraps `onFault` so that it ignores {@link ServiceClosed}, which is not a fault. */
export const ignoreServiceClosed =
  <Rest extends readonly unknown[]>(onFault: (error: unknown, ...rest: Rest) => void) =>
  (error: unknown, ...rest: Rest): void => {
    if (!ServiceClosed.is(error)) onFault(error, ...rest)
  }

/** Runs the steps one after the other. Reports each failure to `onFault` and continues. */
export async function endEach(onFault: (error: unknown) => void, ...steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (fault) {
      onFault(fault)
    }
  }
}

/** Creates the lifetime of a service from its start and its end. */
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

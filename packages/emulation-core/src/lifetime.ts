export interface LifetimeOptions<Report> {
  /** The name of the service for errors, such as `emulation`. */
  readonly name: string
  readonly start: () => Promise<Report>
  readonly close: () => Promise<void>
  /** Receives errors of `close`. */
  readonly onFault: (error: unknown) => void
}

export interface Lifetime<Report> {
  /** Starts once. Later calls get the same report. A failed start is tried again. Rejects after `close`. */
  start(): Promise<Report>
  /** Closes once, after a start that is under way. Never rejects. */
  close(): Promise<void>
  /** Whether `close` was called. */
  readonly isClosed: boolean
}

/** Rejects a call of a service after its `close`. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed'

  constructor(service: string) {
    super(`The ${service} is closed`)
  }

  /** Whether `thrown` is a `ServiceClosed`, also of another copy of this package. */
  static is(thrown: unknown): thrown is ServiceClosed {
    return thrown instanceof Error && thrown.name === 'ServiceClosed'
  }
}

/** Wraps `onFault` to leave out the errors of a closed service, which are not faults. */
export const exceptClosed =
  <Rest extends readonly unknown[]>(onFault: (error: unknown, ...rest: Rest) => void) =>
  (error: unknown, ...rest: Rest): void => {
    if (!ServiceClosed.is(error)) onFault(error, ...rest)
  }

/** Runs all steps one after the other. Their errors go to `onFault`. */
export async function endEach(onFault: (error: unknown) => void, ...steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (fault) {
      onFault(fault)
    }
  }
}

/** Creates the `start` and `close` of a service. */
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

const DAY_MS = 86_400_000

/** In each 400 requests the store fails for 10, and in each 600 the clock is 30 days wrong for 10. */
const STORE_EVERY = 400
const CLOCK_EVERY = 600
const LENGTH = 10

/** Failures around a service. Their times depend only on the number of requests. */
export interface Disturbances {
  /** Advances to the next request. */
  advance(): void
  /** Whether the store fails for this request. */
  readonly isStoreUnavailable: boolean
  /** The error of the clock, in milliseconds. */
  readonly clockSkewMs: number
  /** Wraps ports so that their methods reject while the store fails. */
  breakable<Ports extends object>(ports: Ports): Ports
}

export function disturbances(): Disturbances {
  let count = 0
  const isIn = (every: number) => count >= every && count % every < LENGTH
  const made: Disturbances = {
    advance: () => {
      count += 1
    },
    get isStoreUnavailable() {
      return isIn(STORE_EVERY)
    },
    get clockSkewMs() {
      if (!isIn(CLOCK_EVERY)) return 0
      return Math.floor(count / CLOCK_EVERY) % 2 === 0 ? -30 * DAY_MS : 30 * DAY_MS
    },
    breakable: (ports) => {
      const broken = Object.entries(ports).map(([name, port]) => [name, breakable(port, () => made.isStoreUnavailable)])
      return { ...ports, ...Object.fromEntries(broken) }
    },
  }
  return made
}

function breakable(port: unknown, isUnavailable: () => boolean): unknown {
  if (typeof port !== 'object' || port === null) return port
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) =>
        isUnavailable() ? Promise.reject(new Error('the store is unavailable')) : Reflect.apply(value, target, args)
    },
  })
}

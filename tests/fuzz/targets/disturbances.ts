const DAY_MS = 86_400_000

/** Of so many requests, ten meet a store that fails; of so many others, ten a clock that is 30 days wrong. */
const STORE_EVERY = 400
const CLOCK_EVERY = 600
const LENGTH = 10

/** What fails around a service while it is asked: in turns that follow from the number of requests alone. */
export interface Disturbances {
  /** Moves to the next request. */
  tick(): void
  /** Whether the store fails for this request. */
  readonly isStoreAway: boolean
  /** How far the clock is off, in milliseconds. */
  readonly clockSkewMs: number
  /** The same ports; their methods reject while the store fails. */
  breakable<Ports extends object>(ports: Ports): Ports
}

export function disturbances(): Disturbances {
  let count = 0
  const isIn = (every: number) => count >= every && count % every < LENGTH
  const made: Disturbances = {
    tick: () => {
      count += 1
    },
    get isStoreAway() {
      return isIn(STORE_EVERY)
    },
    get clockSkewMs() {
      if (!isIn(CLOCK_EVERY)) return 0
      return Math.floor(count / CLOCK_EVERY) % 2 === 0 ? -30 * DAY_MS : 30 * DAY_MS
    },
    breakable: (ports) => {
      const broken = Object.entries(ports).map(([name, port]) => [name, breakable(port, () => made.isStoreAway)])
      return { ...ports, ...Object.fromEntries(broken) }
    },
  }
  return made
}

function breakable(port: unknown, isAway: () => boolean): unknown {
  if (typeof port !== 'object' || port === null) return port
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) =>
        isAway() ? Promise.reject(new Error('The store is away')) : Reflect.apply(value, target, args)
    },
  })
}

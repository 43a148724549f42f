import type { IpAddress } from '../../addresses/ip-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Clock } from '../../clock/clock.ts'

export interface NeighbourCacheOptions<A extends IpAddress> {
  readonly clock: Clock
  /** Sends a request for the address to the link. */
  readonly solicit: (address: A) => void
}

/** The neighbours on the link. Timers run only while a request is pending. */
export interface NeighbourCache<A extends IpAddress> {
  /** Calls back once, immediately for a known neighbour. `undefined` after three requests without an answer. */
  resolve(address: A, done: (mac: MacAddress | undefined) => void): void
  /** Stores what a neighbour announces. Neighbours without a pending request are added only with `unsolicited`. */
  learn(address: A, mac: MacAddress, unsolicited: boolean): void
  entries(): readonly { readonly address: A; readonly mac: MacAddress; readonly secondsLeft: number }[]
  /** Removes all neighbours. Pending requests get `undefined`. */
  clear(): void
}

const LIFETIME_MS = 120_000
const RETRY_MS = 1000
const ATTEMPTS = 3

/** Neighbours that are kept. A new one replaces the oldest. */
const MAX_ENTRIES = 512
/** Pending requests, and callers that wait for one of them. Further callers get `undefined` immediately. */
const MAX_PENDING = 64

export function createNeighbourCache<A extends IpAddress>({
  clock,
  solicit,
}: NeighbourCacheOptions<A>): NeighbourCache<A> {
  interface PendingRequest {
    readonly waiting: ((mac: MacAddress | undefined) => void)[]
    left: number
    cancel: () => void
  }
  const known = new Map<A, { readonly mac: MacAddress; readonly expiresAt: number }>()
  const pendingRequests = new Map<A, PendingRequest>()

  const answer = (address: A, mac: MacAddress | undefined) => {
    const request = pendingRequests.get(address)
    if (request === undefined) return
    pendingRequests.delete(address)
    request.cancel()
    for (const done of request.waiting) done(mac)
  }

  const sendRequest = (address: A, request: PendingRequest) => {
    if (request.left === 0) {
      answer(address, undefined)
      return
    }
    request.left -= 1
    request.cancel = clock.after(RETRY_MS, () => sendRequest(address, request))
    solicit(address)
  }

  const current = (address: A): MacAddress | undefined => {
    const entry = known.get(address)
    if (entry === undefined || entry.expiresAt > clock.now()) return entry?.mac
    known.delete(address)
    return undefined
  }

  return {
    resolve(address, done) {
      const mac = current(address)
      if (mac !== undefined) return done(mac)
      const existing = pendingRequests.get(address)
      if ((existing?.waiting.length ?? pendingRequests.size) >= MAX_PENDING) return done(undefined)
      if (existing !== undefined) {
        existing.waiting.push(done)
        return
      }
      const request: PendingRequest = { waiting: [done], left: ATTEMPTS, cancel: () => {} }
      pendingRequests.set(address, request)
      sendRequest(address, request)
    },
    learn(address, mac, unsolicited) {
      if (!unsolicited && !known.has(address) && !pendingRequests.has(address)) return
      known.delete(address)
      const oldest = known.keys().next()
      if (known.size >= MAX_ENTRIES && oldest.done !== true) known.delete(oldest.value)
      known.set(address, { mac, expiresAt: clock.now() + LIFETIME_MS })
      answer(address, mac)
    },
    entries: () =>
      [...known]
        .filter(([, { expiresAt }]) => expiresAt > clock.now())
        .map(([address, { mac, expiresAt }]) => ({
          address,
          mac,
          secondsLeft: Math.ceil((expiresAt - clock.now()) / 1000),
        })),
    clear() {
      known.clear()
      for (const address of [...pendingRequests.keys()]) answer(address, undefined)
    },
  }
}

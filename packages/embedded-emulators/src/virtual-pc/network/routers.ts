import type { Ipv6Address } from '../../addresses/ipv6-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Clock } from '../../clock/clock.ts'
import type { AnnouncedPrefix, NeighbourMessage } from '../../frames/neighbour-message.ts'

export interface Router {
  readonly address: Ipv6Address
  readonly mac: MacAddress
  readonly mtu: number | undefined
  readonly hopLimit: number
  readonly prefixes: readonly AnnouncedPrefix[]
  readonly expiresAt: number
}

/** The router that announced itself last, until its lifetime expires. */
export interface Routers {
  current(): Router | undefined
  receiveAdvertisement(
    address: Ipv6Address,
    mac: MacAddress,
    message: Extract<NeighbourMessage, { kind: 'router-advertisement' }>,
  ): void
  /** Calls the listener with every announcement. @returns a function that ends it */
  watch(listener: (router: Router) => void): () => void
}

/** Bounds of an MTU: the least of RFC 8200, and the payload of an Ethernet frame. */
const mtus = { least: 1280, most: 1500 } as const

const MAX_PREFIXES = 8

export function createRouters(clock: Clock): Routers {
  const listeners = new Set<(router: Router) => void>()
  let latest: Router | undefined
  const current = () => (latest !== undefined && latest.expiresAt > clock.now() ? latest : undefined)
  return {
    current,
    receiveAdvertisement(address, mac, { lifetimeSeconds, mtu, hopLimit, prefixes }) {
      const usable = mtu !== undefined && mtu >= mtus.least && mtu <= mtus.most
      const router: Router = {
        address,
        mac,
        mtu: usable ? mtu : undefined,
        hopLimit,
        prefixes: prefixes.slice(0, MAX_PREFIXES),
        expiresAt: clock.now() + lifetimeSeconds * 1000,
      }
      if (lifetimeSeconds > 0) latest = router
      else if (latest?.address === address) latest = undefined
      for (const listener of listeners) listener(router)
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

import type { MacAddress } from '../addresses/mac-address.ts'

export interface MacTableRow<P> {
  readonly vlan: number
  readonly mac: MacAddress
  readonly port: P
}

/** The port on which each address was last seen. Ports (`P`) are compared by identity. */
export interface MacTable<P> {
  /** Called for every frame. Allocates only for a new address. */
  learn(vlan: number, mac: MacAddress, port: P): void
  find(vlan: number, mac: MacAddress): P | undefined
  /** Removes all addresses of the port. */
  forget(port: P): void
  clear(): void
  /** Begins the next turn, and removes addresses that were last learned more than `turns` turns ago. */
  age(turns: number): void
  /** Addresses that the table holds. */
  readonly size: number
  /** A copy. */
  entries(): MacTableRow<P>[]
}

interface Entry<P> {
  port: P
  /** The turn in which the address was last learned. */
  seen: number
}

/**
 * One map for each VLAN, with the address as a number for its key. Once `limit` addresses are stored, a new one replaces
 * the oldest of its VLAN, or of another VLAN where its own has none.
 */
export function createMacTable<P>(limit: number): MacTable<P> {
  const vlans = new Map<number, Map<MacAddress, Entry<P>>>()
  let size = 0
  let turn = 0

  const makeRoom = (own: Map<MacAddress, Entry<P>>) => {
    const candidates = own.size > 0 ? own : [...vlans.values()].find((addresses) => addresses.size > 0)
    const oldest = candidates?.keys().next()
    if (candidates === undefined || oldest === undefined || oldest.done === true) return
    candidates.delete(oldest.value)
    size -= 1
  }

  const mapOf = (vlan: number): Map<MacAddress, Entry<P>> => {
    const existing = vlans.get(vlan)
    if (existing !== undefined) return existing
    const created = new Map<MacAddress, Entry<P>>()
    vlans.set(vlan, created)
    return created
  }

  const removeWhere = (isRemoved: (entry: Entry<P>) => boolean) => {
    for (const [vlan, addresses] of vlans) {
      for (const [mac, entry] of addresses) {
        if (isRemoved(entry) && addresses.delete(mac)) size -= 1
      }
      if (addresses.size === 0) vlans.delete(vlan)
    }
  }

  return {
    learn(vlan, mac, port) {
      const addresses = vlans.get(vlan) ?? mapOf(vlan)
      const known = addresses.get(mac)
      if (known !== undefined) {
        known.port = port
        known.seen = turn
        return
      }
      if (size >= limit) makeRoom(addresses)
      size += 1
      addresses.set(mac, { port, seen: turn })
    },
    find: (vlan, mac) => vlans.get(vlan)?.get(mac)?.port,
    forget: (port) => removeWhere((entry) => entry.port === port),
    clear() {
      vlans.clear()
      size = 0
    },
    age(turns) {
      turn += 1
      removeWhere(({ seen }) => turn - seen > turns)
    },
    get size() {
      return size
    },
    entries: () =>
      [...vlans].flatMap(([vlan, addresses]) => [...addresses].map(([mac, { port }]) => ({ vlan, mac, port }))),
  }
}

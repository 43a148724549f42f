import type { Ipv6Address } from '../addresses/ipv6-address.ts'
import type { MacAddress } from '../addresses/mac-address.ts'

/** Discovery messages with another hop limit have passed a router and are ignored (RFC 4861). */
export const DISCOVERY_HOP_LIMIT = 255

/** A prefix that a router announces for addresses on the link. */
export interface AnnouncedPrefix {
  readonly prefix: Ipv6Address
  readonly prefixLength: number
  readonly onLink: boolean
  /** Hosts can form their own addresses from it. */
  readonly autonomous: boolean
  readonly validSeconds: number
}

/** The messages of RFC 4861 that a host needs. `linkAddress` is absent where the option is. */
export type NeighbourMessage =
  | { readonly kind: 'router-solicitation'; readonly linkAddress?: MacAddress }
  | {
      readonly kind: 'router-advertisement'
      readonly hopLimit: number
      /** 0: not a default router. */
      readonly lifetimeSeconds: number
      readonly linkAddress?: MacAddress
      readonly mtu?: number
      readonly prefixes: readonly AnnouncedPrefix[]
    }
  | { readonly kind: 'neighbour-solicitation'; readonly target: Ipv6Address; readonly linkAddress?: MacAddress }
  | {
      readonly kind: 'neighbour-advertisement'
      readonly target: Ipv6Address
      readonly fromRouter: boolean
      readonly solicited: boolean
      readonly override: boolean
      readonly linkAddress?: MacAddress
    }

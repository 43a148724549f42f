import type { Ipv6Address } from '../../addresses/ipv6-address.ts'

export interface OutgoingIpv6 {
  readonly destination: Ipv6Address
  readonly nextHeader: number
  readonly payload: Uint8Array
  /** @default 64 */
  readonly hopLimit?: number
  /** @default the source address of the route */
  readonly source?: Ipv6Address
}

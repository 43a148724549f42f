import type { Ipv4Address } from '../../addresses/ipv4-address.ts'

export interface OutgoingIpv4 {
  readonly destination: Ipv4Address
  readonly protocol: number
  readonly payload: Uint8Array
  /** @default 64 */
  readonly timeToLive?: number
  /** @default false */
  readonly dontFragment?: boolean
}

import type { Ipv6Address } from '../addresses/ipv6-address.ts'
import { byteAt, readUint16, readUint128, writeUint16, writeUint128 } from './bytes.ts'

/** An IPv6 packet without extension headers. */
export interface Ipv6 {
  readonly source: Ipv6Address
  readonly destination: Ipv6Address
  readonly nextHeader: number
  readonly hopLimit: number
  readonly payload: Uint8Array
}

export const IPV6_HEADER_LENGTH = 40

/** The payload is a view. Returns `undefined` for a packet that is truncated. */
export function readIpv6(packet: Uint8Array): Ipv6 | undefined {
  const length = IPV6_HEADER_LENGTH + readUint16(packet, 4)
  if (byteAt(packet, 0) >> 4 !== 6 || length > packet.length) return undefined
  return {
    source: readUint128(packet, 8),
    destination: readUint128(packet, 24),
    nextHeader: byteAt(packet, 6),
    hopLimit: byteAt(packet, 7),
    payload: packet.subarray(IPV6_HEADER_LENGTH, length),
  }
}

export function writeIpv6(ipv6: Ipv6): Uint8Array {
  const packet = new Uint8Array(IPV6_HEADER_LENGTH + ipv6.payload.length)
  packet[0] = 0x60
  writeUint16(packet, 4, ipv6.payload.length)
  packet[6] = ipv6.nextHeader
  packet[7] = ipv6.hopLimit
  writeUint128(packet, 8, ipv6.source)
  writeUint128(packet, 24, ipv6.destination)
  packet.set(ipv6.payload, IPV6_HEADER_LENGTH)
  return packet
}

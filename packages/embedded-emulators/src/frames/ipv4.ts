import type { Ipv4Address } from '../addresses/ipv4-address.ts'
import { byteAt, readUint16, readUint32, writeUint16, writeUint32 } from './bytes.ts'
import { checksumOf } from './checksum.ts'

export const protocols = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 } as const

/** An IPv4 packet; options are skipped on reading and never written. */
export interface Ipv4 {
  readonly source: Ipv4Address
  readonly destination: Ipv4Address
  readonly protocol: number
  readonly timeToLive: number
  readonly identification: number
  readonly dontFragment: boolean
  readonly moreFragments: boolean
  /** In bytes. */
  readonly fragmentOffset: number
  readonly payload: Uint8Array
}

export const IPV4_HEADER_LENGTH = 20

/** The payload is a view. Returns `undefined` for a packet that is truncated or has a wrong header checksum. */
export function readIpv4(packet: Uint8Array): Ipv4 | undefined {
  const headerLength = (byteAt(packet, 0) & 0xf) * 4
  const length = readUint16(packet, 2)
  if (byteAt(packet, 0) >> 4 !== 4 || headerLength < IPV4_HEADER_LENGTH) return undefined
  if (length < headerLength || length > packet.length) return undefined
  if (checksumOf(packet.subarray(0, headerLength)) !== 0) return undefined
  const fragment = readUint16(packet, 6)
  return {
    source: readUint32(packet, 12),
    destination: readUint32(packet, 16),
    protocol: byteAt(packet, 9),
    timeToLive: byteAt(packet, 8),
    identification: readUint16(packet, 4),
    dontFragment: (fragment & 0x4000) !== 0,
    moreFragments: (fragment & 0x2000) !== 0,
    fragmentOffset: (fragment & 0x1fff) * 8,
    payload: packet.subarray(headerLength, length),
  }
}

export function writeIpv4(ipv4: Ipv4): Uint8Array {
  const packet = new Uint8Array(IPV4_HEADER_LENGTH + ipv4.payload.length)
  packet[0] = 0x45
  writeUint16(packet, 2, packet.length)
  writeUint16(packet, 4, ipv4.identification)
  writeUint16(
    packet,
    6,
    (ipv4.dontFragment ? 0x4000 : 0) | (ipv4.moreFragments ? 0x2000 : 0) | (ipv4.fragmentOffset >> 3),
  )
  packet[8] = ipv4.timeToLive
  packet[9] = ipv4.protocol
  writeUint32(packet, 12, ipv4.source)
  writeUint32(packet, 16, ipv4.destination)
  writeUint16(packet, 10, checksumOf(packet.subarray(0, IPV4_HEADER_LENGTH)))
  packet.set(ipv4.payload, IPV4_HEADER_LENGTH)
  return packet
}

import type { Ipv4Address } from '../addresses/ipv4-address.ts'
import type { Ipv6Address } from '../addresses/ipv6-address.ts'
import { writeUint16, writeUint32, writeUint128 } from './bytes.ts'
import { foldSum, sumOf } from './checksum.ts'

/** The addresses of a packet, both of one family, as the checksums of upper layers cover them. */
export type Ends =
  | { readonly family: 'ipv4'; readonly source: Ipv4Address; readonly destination: Ipv4Address }
  | { readonly family: 'ipv6'; readonly source: Ipv6Address; readonly destination: Ipv6Address }

function pseudoHeader(ends: Ends, protocol: number, length: number): Uint8Array {
  if (ends.family === 'ipv4') {
    const header = new Uint8Array(12)
    writeUint32(header, 0, ends.source)
    writeUint32(header, 4, ends.destination)
    header[9] = protocol
    writeUint16(header, 10, length)
    return header
  }
  const header = new Uint8Array(40)
  writeUint128(header, 0, ends.source)
  writeUint128(header, 16, ends.destination)
  writeUint32(header, 32, length)
  header[39] = protocol
  return header
}

/** The checksum of a UDP, TCP or ICMPv6 message whose checksum field is zero. 0 when the field is correct. */
export const transportChecksum = (ends: Ends, protocol: number, message: Uint8Array): number =>
  foldSum(sumOf(message, sumOf(pseudoHeader(ends, protocol, message.length))))

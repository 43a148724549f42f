import { byteAt, readUint16, writeUint16 } from './bytes.ts'
import type { Icmp } from './icmp.ts'
import { protocols } from './ipv4.ts'
import { type Ends, transportChecksum } from './pseudo-header.ts'

export const icmpv6Types = {
  unreachable: 1,
  packetTooBig: 2,
  timeExceeded: 3,
  echoRequest: 128,
  echoReply: 129,
  routerSolicitation: 133,
  routerAdvertisement: 134,
  neighbourSolicitation: 135,
  neighbourAdvertisement: 136,
} as const

const HEADER_LENGTH = 8

/** Reads an ICMPv6 message (RFC 4443). The payload is a view. `undefined` when truncated or with a wrong checksum. */
export const readIcmpv6 = (message: Uint8Array, ends: Ends): Icmp | undefined =>
  message.length < HEADER_LENGTH || transportChecksum(ends, protocols.icmpv6, message) !== 0
    ? undefined
    : {
        type: byteAt(message, 0),
        code: byteAt(message, 1),
        rest: [readUint16(message, 4), readUint16(message, 6)],
        payload: message.subarray(HEADER_LENGTH),
      }

export function writeIcmpv6({ type, code, rest, payload }: Icmp, ends: Ends): Uint8Array {
  const message = new Uint8Array(HEADER_LENGTH + payload.length)
  message[0] = type
  message[1] = code
  writeUint16(message, 4, rest[0])
  writeUint16(message, 6, rest[1])
  message.set(payload, HEADER_LENGTH)
  writeUint16(message, 2, transportChecksum(ends, protocols.icmpv6, message))
  return message
}

import { byteAt, readUint16, writeUint16 } from './bytes.ts'
import { checksumOf } from './checksum.ts'

/** Types that the virtual PC supports. */
export const icmpTypes = { echoReply: 0, unreachable: 3, redirect: 5, echoRequest: 8, timeExceeded: 11 } as const

/** An ICMP message (RFC 792). For an echo, `rest` is the identifier and the sequence number, else mostly zero. */
export interface Icmp {
  readonly type: number
  readonly code: number
  /** The 32 bits after the checksum, as two halves. */
  readonly rest: readonly [number, number]
  readonly payload: Uint8Array
}

const HEADER_LENGTH = 8

/** The payload is a view. Returns `undefined` when the message is truncated or its checksum is wrong. */
export const readIcmp = (message: Uint8Array): Icmp | undefined =>
  message.length < HEADER_LENGTH || checksumOf(message) !== 0
    ? undefined
    : {
        type: byteAt(message, 0),
        code: byteAt(message, 1),
        rest: [readUint16(message, 4), readUint16(message, 6)],
        payload: message.subarray(HEADER_LENGTH),
      }

export function writeIcmp({ type, code, rest, payload }: Icmp): Uint8Array {
  const message = new Uint8Array(HEADER_LENGTH + payload.length)
  message[0] = type
  message[1] = code
  writeUint16(message, 4, rest[0])
  writeUint16(message, 6, rest[1])
  message.set(payload, HEADER_LENGTH)
  writeUint16(message, 2, checksumOf(message))
  return message
}

import { readUint16, writeUint16 } from './bytes.ts'
import { protocols } from './ipv4.ts'
import { type Ends, transportChecksum } from './pseudo-header.ts'

export interface Udp {
  readonly sourcePort: number
  readonly destinationPort: number
  readonly payload: Uint8Array
}

const HEADER_LENGTH = 8

/** The payload is a view. `undefined` when truncated or with a wrong checksum. Over IPv4, a checksum of 0 is not checked. */
export function readUdp(message: Uint8Array, ends: Ends): Udp | undefined {
  const length = readUint16(message, 4)
  if (length < HEADER_LENGTH || length > message.length) return undefined
  const unchecked = readUint16(message, 6) === 0 && ends.family === 'ipv4'
  if (!unchecked && transportChecksum(ends, protocols.udp, message.subarray(0, length)) !== 0) return undefined
  return {
    sourcePort: readUint16(message, 0),
    destinationPort: readUint16(message, 2),
    payload: message.subarray(HEADER_LENGTH, length),
  }
}

export function writeUdp(udp: Udp, ends: Ends): Uint8Array {
  const message = new Uint8Array(HEADER_LENGTH + udp.payload.length)
  writeUint16(message, 0, udp.sourcePort)
  writeUint16(message, 2, udp.destinationPort)
  writeUint16(message, 4, message.length)
  message.set(udp.payload, HEADER_LENGTH)
  writeUint16(message, 6, transportChecksum(ends, protocols.udp, message) || 0xffff)
  return message
}

import type { MacAddress } from '../addresses/mac-address.ts'
import { readMac, readUint16, writeMac, writeUint16 } from './bytes.ts'

/** Length of the two addresses and the type: the shortest frame. */
export const ETHERNET_HEADER_LENGTH = 14

export const etherTypes = { ipv4: 0x0800, arp: 0x0806, ipv6: 0x86dd } as const

/**
 * One Ethernet frame, from the destination address to the end of the payload: no preamble and no checksum,
 * as UDP tunnels carry it.
 */
export interface Ethernet {
  readonly destination: MacAddress
  readonly source: MacAddress
  readonly etherType: number
  readonly payload: Uint8Array
}

/** The payload is a view of the frame, not a copy. Returns `undefined` when the frame is too short. */
export const readEthernet = (frame: Uint8Array): Ethernet | undefined =>
  frame.length < ETHERNET_HEADER_LENGTH
    ? undefined
    : {
        destination: readMac(frame, 0),
        source: readMac(frame, 6),
        etherType: readUint16(frame, 12),
        payload: frame.subarray(ETHERNET_HEADER_LENGTH),
      }

export function writeEthernet({ destination, source, etherType, payload }: Ethernet): Uint8Array {
  const frame = new Uint8Array(ETHERNET_HEADER_LENGTH + payload.length)
  writeMac(frame, 0, destination)
  writeMac(frame, 6, source)
  writeUint16(frame, 12, etherType)
  frame.set(payload, ETHERNET_HEADER_LENGTH)
  return frame
}

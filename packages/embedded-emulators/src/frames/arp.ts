import type { Ipv4Address } from '../addresses/ipv4-address.ts'
import type { MacAddress } from '../addresses/mac-address.ts'
import { readMac, readUint16, readUint32, writeMac, writeUint16, writeUint32 } from './bytes.ts'

/** An ARP packet for IPv4 over Ethernet (RFC 826). */
export interface Arp {
  readonly operation: 'request' | 'reply'
  readonly senderMac: MacAddress
  readonly senderAddress: Ipv4Address
  readonly targetMac: MacAddress
  readonly targetAddress: Ipv4Address
}

const LENGTH = 28

/** Returns `undefined` for other hardware, protocols and operations. */
export function readArp(packet: Uint8Array): Arp | undefined {
  if (packet.length < LENGTH || readUint32(packet, 0) !== 0x10800 || readUint16(packet, 4) !== 0x604) return undefined
  const operation = readUint16(packet, 6)
  if (operation !== 1 && operation !== 2) return undefined
  return {
    operation: operation === 1 ? 'request' : 'reply',
    senderMac: readMac(packet, 8),
    senderAddress: readUint32(packet, 14),
    targetMac: readMac(packet, 18),
    targetAddress: readUint32(packet, 24),
  }
}

export function writeArp(arp: Arp): Uint8Array {
  const packet = new Uint8Array(LENGTH)
  writeUint32(packet, 0, 0x10800)
  writeUint16(packet, 4, 0x604)
  writeUint16(packet, 6, arp.operation === 'request' ? 1 : 2)
  writeMac(packet, 8, arp.senderMac)
  writeUint32(packet, 14, arp.senderAddress)
  writeMac(packet, 18, arp.targetMac)
  writeUint32(packet, 24, arp.targetAddress)
  return packet
}

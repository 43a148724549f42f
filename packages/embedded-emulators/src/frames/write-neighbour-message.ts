import type { MacAddress } from '../addresses/mac-address.ts'
import { writeMac, writeUint32, writeUint128 } from './bytes.ts'
import type { Icmp } from './icmp.ts'
import { icmpv6Types } from './icmpv6.ts'
import type { AnnouncedPrefix, NeighbourMessage } from './neighbour-message.ts'

function linkOption(type: 1 | 2, linkAddress: MacAddress | undefined): readonly Uint8Array[] {
  if (linkAddress === undefined) return []
  const option = new Uint8Array(8)
  option[0] = type
  option[1] = 1
  writeMac(option, 2, linkAddress)
  return [option]
}

function mtuOption(mtu: number | undefined): readonly Uint8Array[] {
  if (mtu === undefined) return []
  const option = new Uint8Array(8)
  option[0] = 5
  option[1] = 1
  writeUint32(option, 4, mtu)
  return [option]
}

function prefixOption({ prefix, prefixLength, onLink, autonomous, validSeconds }: AnnouncedPrefix): Uint8Array {
  const option = new Uint8Array(32)
  option[0] = 3
  option[1] = 4
  option[2] = prefixLength
  option[3] = (onLink ? 0x80 : 0) | (autonomous ? 0x40 : 0)
  writeUint32(option, 4, validSeconds)
  writeUint32(option, 8, validSeconds)
  writeUint128(option, 16, prefix)
  return option
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function addressed(target: bigint): Uint8Array {
  const bytes = new Uint8Array(16)
  writeUint128(bytes, 0, target)
  return bytes
}

/** Writes the body of the ICMPv6 message. Preferred lifetimes equal the valid ones. */
export function writeNeighbourMessage(message: NeighbourMessage): Icmp {
  const code = 0
  switch (message.kind) {
    case 'router-solicitation':
      return {
        type: icmpv6Types.routerSolicitation,
        code,
        rest: [0, 0],
        payload: join(linkOption(1, message.linkAddress)),
      }
    case 'router-advertisement':
      return {
        type: icmpv6Types.routerAdvertisement,
        code,
        rest: [message.hopLimit << 8, message.lifetimeSeconds],
        payload: join([
          new Uint8Array(8),
          ...linkOption(1, message.linkAddress),
          ...mtuOption(message.mtu),
          ...message.prefixes.map(prefixOption),
        ]),
      }
    case 'neighbour-solicitation':
      return {
        type: icmpv6Types.neighbourSolicitation,
        code,
        rest: [0, 0],
        payload: join([addressed(message.target), ...linkOption(1, message.linkAddress)]),
      }
    case 'neighbour-advertisement':
      return {
        type: icmpv6Types.neighbourAdvertisement,
        code,
        rest: [
          (message.fromRouter ? 0x8000 : 0) | (message.solicited ? 0x4000 : 0) | (message.override ? 0x2000 : 0),
          0,
        ],
        payload: join([addressed(message.target), ...linkOption(2, message.linkAddress)]),
      }
  }
}

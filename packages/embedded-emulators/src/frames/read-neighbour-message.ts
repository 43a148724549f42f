import type { MacAddress } from '../addresses/mac-address.ts'
import { byteAt, readMac, readUint32, readUint128 } from './bytes.ts'
import type { Icmp } from './icmp.ts'
import { icmpv6Types } from './icmpv6.ts'
import type { AnnouncedPrefix, NeighbourMessage } from './neighbour-message.ts'

interface Options {
  readonly linkAddress?: MacAddress
  readonly mtu?: number
  readonly prefixes: readonly AnnouncedPrefix[]
}

/** Returns `undefined` for an option that is truncated or of length 0: the whole message must be dropped. */
function readOptions(bytes: Uint8Array): Options | undefined {
  const prefixes: AnnouncedPrefix[] = []
  let linkAddress: MacAddress | undefined
  let mtu: number | undefined
  for (let at = 0; at < bytes.length; ) {
    const length = byteAt(bytes, at + 1) * 8
    if (length === 0 || at + length > bytes.length) return undefined
    const type = byteAt(bytes, at)
    if (type === 1 || type === 2) linkAddress = readMac(bytes, at + 2)
    if (type === 5) mtu = readUint32(bytes, at + 4)
    if (type === 3 && length === 32) {
      prefixes.push({
        prefix: readUint128(bytes, at + 16),
        prefixLength: byteAt(bytes, at + 2),
        onLink: (byteAt(bytes, at + 3) & 0x80) !== 0,
        autonomous: (byteAt(bytes, at + 3) & 0x40) !== 0,
        validSeconds: readUint32(bytes, at + 4),
      })
    }
    at += length
  }
  return { prefixes, ...(linkAddress === undefined ? {} : { linkAddress }), ...(mtu === undefined ? {} : { mtu }) }
}

const ADDRESSED_AT = 16

/** Reads the body of an ICMPv6 message. Returns `undefined` for other types and malformed bodies. */
export function readNeighbourMessage({ type, rest, payload }: Icmp): NeighbourMessage | undefined {
  const fixed =
    type === icmpv6Types.routerSolicitation ? 0 : type === icmpv6Types.routerAdvertisement ? 8 : ADDRESSED_AT
  if (payload.length < fixed) return undefined
  const options = readOptions(payload.subarray(fixed))
  if (options === undefined) return undefined
  const link = options.linkAddress === undefined ? {} : { linkAddress: options.linkAddress }
  const target = () => readUint128(payload, 0)
  switch (type) {
    case icmpv6Types.routerSolicitation:
      return { kind: 'router-solicitation', ...link }
    case icmpv6Types.routerAdvertisement:
      return {
        kind: 'router-advertisement',
        hopLimit: rest[0] >> 8,
        lifetimeSeconds: rest[1],
        prefixes: options.prefixes,
        ...link,
        ...(options.mtu === undefined ? {} : { mtu: options.mtu }),
      }
    case icmpv6Types.neighbourSolicitation:
      return { kind: 'neighbour-solicitation', target: target(), ...link }
    case icmpv6Types.neighbourAdvertisement:
      return {
        kind: 'neighbour-advertisement',
        target: target(),
        fromRouter: (rest[0] & 0x8000) !== 0,
        solicited: (rest[0] & 0x4000) !== 0,
        override: (rest[0] & 0x2000) !== 0,
        ...link,
      }
    default:
      return undefined
  }
}

/** An IPv4 address as an unsigned 32-bit number. */
export type Ipv4Address = number

export const BROADCAST_IPV4: Ipv4Address = 0xffffffff

export const formatIpv4 = (address: Ipv4Address): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`

/** Reads dotted decimal with four parts, none with a leading zero; `undefined` for anything else. */
export function parseIpv4(text: string): Ipv4Address | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  return parts.some((part) => part > 255) ? undefined : parts.reduce((address, part) => address * 256 + part, 0)
}

/** The mask of a prefix length from 0 to 32. */
export const maskOf = (prefixLength: number): Ipv4Address =>
  prefixLength === 0 ? 0 : (0xffffffff << (32 - prefixLength)) >>> 0

/** The prefix length of a mask; `undefined` when its ones are not contiguous. */
export function prefixLengthOf(mask: Ipv4Address): number | undefined {
  const length = 32 - Math.log2((~mask >>> 0) + 1)
  return Number.isInteger(length) ? length : undefined
}

export const inSameNetwork = (first: Ipv4Address, second: Ipv4Address, prefixLength: number): boolean =>
  ((first ^ second) & maskOf(prefixLength)) === 0

export const isMulticastIpv4 = (address: Ipv4Address): boolean => address >>> 28 === 0xe

/** Accepts addresses that one interface can have: not multicast, reserved, "this network" or loopback. */
export const isHostIpv4 = (address: Ipv4Address): boolean =>
  address >>> 28 < 0xe && address >>> 24 !== 0 && address >>> 24 !== 127

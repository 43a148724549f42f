import { formatIpv4, parseIpv4 } from './ipv4-address.ts'
import type { MacAddress } from './mac-address.ts'

/** An IPv6 address as an unsigned 128-bit number. */
export type Ipv6Address = bigint

export const UNSPECIFIED_IPV6: Ipv6Address = 0n
export const ALL_NODES: Ipv6Address = (0xff02n << 112n) | 1n
export const ALL_ROUTERS: Ipv6Address = (0xff02n << 112n) | 2n

const groupsOf = (address: Ipv6Address): readonly number[] =>
  Array.from({ length: 8 }, (_, index) => Number((address >> BigInt(112 - 16 * index)) & 0xffffn))

/** Formats in the shortest form of RFC 5952: lower case, the longest run of zero groups (two or more) as `::`. */
export function formatIpv6(address: Ipv6Address): string {
  if (address >> 32n === 0xffffn) return `::ffff:${formatIpv4(Number(address & 0xffffffffn))}`
  const groups = groupsOf(address).map((group) => group.toString(16))
  let best = { start: 0, length: 1 }
  for (let start = 0; start < 8; start += 1) {
    let length = 0
    while (groups[start + length] === '0') length += 1
    if (length > best.length) best = { start, length }
  }
  if (best.length < 2) return groups.join(':')
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`
}

function parseGroups(text: string): readonly string[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const embedded = parseIpv4(groups.at(-1) ?? '')
  if (embedded !== undefined) {
    groups.splice(-1, 1, (embedded >>> 16).toString(16), (embedded & 0xffff).toString(16))
  }
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) ? groups : undefined
}

/** Reads every text form of RFC 4291, without a zone; `undefined` for anything else. */
export function parseIpv6(text: string): Ipv6Address | undefined {
  const [head, tail, ...rest] = text.split('::')
  if (head === undefined || rest.length > 0) return undefined
  const front = parseGroups(head)
  const back = tail === undefined ? [] : parseGroups(tail)
  if (front === undefined || back === undefined) return undefined
  const missing = 8 - front.length - back.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  if (tail !== undefined && head.includes('.')) return undefined
  const groups = [...front, ...Array.from({ length: missing }, () => '0'), ...back]
  return groups.reduce((address, group) => (address << 16n) | BigInt(`0x${group}`), 0n)
}

export const prefixMask = (prefixLength: number): bigint =>
  ((1n << BigInt(prefixLength)) - 1n) << BigInt(128 - prefixLength)

export const inSamePrefix = (first: Ipv6Address, second: Ipv6Address, prefixLength: number): boolean =>
  ((first ^ second) & prefixMask(prefixLength)) === 0n

export const isMulticastIpv6 = (address: Ipv6Address): boolean => address >> 120n === 0xffn

export const isLinkLocal = (address: Ipv6Address): boolean => address >> 118n === 0x3fan

/** The modified EUI-64 interface identifier of RFC 4291, appendix A. */
export function interfaceIdentifier(address: MacAddress): bigint {
  const bits = BigInt(address)
  return (((bits >> 24n) << 40n) | (0xfffen << 24n) | (bits & 0xffffffn)) ^ (1n << 57n)
}

/** The solicited-node multicast group of the address (RFC 4291, section 2.7.1). */
export const solicitedNode = (address: Ipv6Address): Ipv6Address =>
  (0xff02n << 112n) | (0x1ffn << 24n) | (address & 0xffffffn)

/** The Ethernet group of an IPv6 multicast address (RFC 2464, section 7). */
export const multicastMac = (address: Ipv6Address): MacAddress => 0x333300000000 + Number(address & 0xffffffffn)

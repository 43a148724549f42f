import {
  type Ipv4Address,
  inSameNetwork,
  isHostIpv4,
  maskOf,
  parseIpv4,
  prefixLengthOf,
} from '../../addresses/ipv4-address.ts'
import {
  inSamePrefix,
  interfaceIdentifier,
  isLinkLocal,
  isMulticastIpv6,
  parseIpv6,
  prefixMask,
} from '../../addresses/ipv6-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Ipv4Config } from '../network/ipv4-host.ts'
import type { Ipv6Config } from '../network/ipv6-host.ts'

export type ParsedAddress =
  | { readonly type: 'ipv4'; readonly config: Ipv4Config }
  | { readonly type: 'ipv6'; readonly config: Ipv6Config }
  | { readonly type: 'wrong'; readonly message: string }

const wrong = (message: string): ParsedAddress => ({ type: 'wrong', message })

/** Accepts `24`, `/24`, `255.255.255.0` and `/255.255.255.0`. */
function parseMask(word: string): number | undefined {
  const text = word.replace(/^\//, '')
  if (/^\d{1,2}$/.test(text)) return Number(text) <= 32 ? Number(text) : undefined
  const mask = parseIpv4(text)
  return mask === undefined ? undefined : prefixLengthOf(mask)
}

/** A dotted word can be a gateway or a mask. It is a mask where it has the form of one and is not a host address. */
function isMaskWord(word: string): boolean {
  const address = parseIpv4(word)
  return address === undefined
    ? parseMask(word) !== undefined
    : address >>> 24 === 255 && prefixLengthOf(address) !== undefined
}

function parseIpv4Words(address: Ipv4Address, words: readonly string[]): ParsedAddress {
  let prefixLength: number | undefined
  let gateway: Ipv4Address | undefined
  for (const word of words) {
    if (isMaskWord(word) && prefixLength === undefined) prefixLength = parseMask(word)
    else if (gateway === undefined && parseIpv4(word) !== undefined) gateway = parseIpv4(word)
    else return wrong(`Invalid mask or gateway: ${word}`)
  }
  const length = prefixLength ?? 24
  const host = (address & ~maskOf(length)) >>> 0
  const isEdge = length < 31 && (host === 0 || host === ~maskOf(length) >>> 0)
  if (!isHostIpv4(address) || length === 0 || isEdge)
    return wrong('Invalid address: it cannot be the address of a host')
  if (gateway === undefined) return { type: 'ipv4', config: { address, prefixLength: length } }
  if (gateway === address) return wrong('The gateway must be another host')
  if (!isHostIpv4(gateway) || !inSameNetwork(address, gateway, length))
    return wrong('The gateway is not in the network of the address')
  return { type: 'ipv4', config: { address, prefixLength: length, gateway } }
}

function parseIpv6Words(text: string, words: readonly string[], mac: MacAddress): ParsedAddress {
  const given = parseIpv6(text)
  const identifiers = words.filter((word) => word.toLowerCase() === 'eui-64')
  const masks = words.filter((word) => /^\/?\d{1,3}$/.test(word))
  const gateways = words.filter((word) => word.includes(':'))
  if (given === undefined) return wrong(`Invalid address: ${text}`)
  if (
    identifiers.length > 1 ||
    masks.length > 1 ||
    gateways.length > 1 ||
    identifiers.length + masks.length + gateways.length < words.length
  ) {
    return wrong('Usage: ip <address>[/<mask>] [<gateway>] [eui-64]')
  }
  const prefixLength = masks[0] === undefined ? 64 : Number(masks[0].replace('/', ''))
  const address = identifiers.length === 0 ? given : (given & prefixMask(64)) | interfaceIdentifier(mac)
  if (prefixLength < 1 || prefixLength > 128) return wrong(`Invalid mask: ${masks[0]}`)
  if (isMulticastIpv6(address) || isLinkLocal(address) || address <= 1n)
    return wrong('Invalid address: it must be global')
  if (gateways[0] === undefined) return { type: 'ipv6', config: { address, prefixLength } }
  const gateway = parseIpv6(gateways[0])
  if (gateway === undefined || gateway === address) return wrong(`Invalid gateway: ${gateways[0]}`)
  if (!isLinkLocal(gateway) && !inSamePrefix(address, gateway, prefixLength))
    return wrong('The gateway is not in the network of the address')
  return { type: 'ipv6', config: { address, prefixLength, gateway } }
}

/** Reads `<address>[/<mask>] [<mask>] [<gateway>]` of either family, with the mask in any form and position. */
export function parseAddress(words: readonly string[], mac: MacAddress): ParsedAddress {
  const [first = '', ...rest] = words
  const slash = first.indexOf('/')
  const text = slash < 0 ? first : first.slice(0, slash)
  const all = slash < 0 ? rest : [first.slice(slash), ...rest]
  const ipv4 = parseIpv4(text)
  if (ipv4 !== undefined) return parseIpv4Words(ipv4, all)
  return text.includes(':') ? parseIpv6Words(text, all, mac) : wrong(`Invalid address: ${text}`)
}

import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

/** An address and the number of its bits that count. */
export type AddressRange = readonly [address: IPv4 | IPv6, bits: number]

/** Parses addresses and networks, whose form was checked. */
export const parseRanges = (ranges: readonly string[]): readonly AddressRange[] => ranges.map(parsedRange)

function parsedRange(range: string): AddressRange {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = ipaddr.process(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Returns whether an address is in one of the ranges. IPv4 addresses in the form of IPv6 count as IPv4. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  const address = parsedAddress(text)
  return (
    address !== undefined &&
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  )
}

function parsedAddress(text: string): IPv4 | IPv6 | undefined {
  try {
    // The zone of a link-local address names an interface of this host.
    return ipaddr.process(text.replace(/%.*$/, ''))
  } catch {
    return undefined
  }
}

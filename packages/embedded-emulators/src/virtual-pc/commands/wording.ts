import { formatIp, type IpAddress, isIpv6 } from '../../addresses/ip-address.ts'

const unreachable: Readonly<Record<number, string>> = {
  0: 'Destination network unreachable',
  1: 'Destination host unreachable',
  2: 'Destination protocol unreachable',
  3: 'Destination port unreachable',
  4: 'Fragmentation needed, but not allowed',
  9: 'Network administratively prohibited',
  10: 'Host administratively prohibited',
  13: 'Communication administratively prohibited',
}

const unreachable6: Readonly<Record<number, string>> = {
  0: 'No route to destination',
  1: 'Communication administratively prohibited',
  3: 'Address unreachable',
  4: 'Destination port unreachable',
}

/** Formats as `ICMP type:3, code:3, Destination port unreachable`. */
export function describeIcmp(from: IpAddress, type: number, code: number): string {
  const exceeded = type === (isIpv6(from) ? 3 : 11)
  const meaning = exceeded
    ? code === 0
      ? 'TTL expired in transit'
      : 'Fragment reassembly time exceeded'
    : ((isIpv6(from) ? unreachable6 : unreachable)[code] ?? 'Unreachable')
  return `ICMP type:${type}, code:${code}, ${meaning}`
}

export function describeFailure(
  failure: { readonly type: 'no-neighbour'; readonly hop: IpAddress } | { readonly type: 'no-route' | 'no-address' },
  destination: IpAddress,
): string {
  if (failure.type === 'no-neighbour') return `host (${formatIp(failure.hop)}) not reachable`
  if (failure.type === 'no-address') return 'This PC has no address yet, use: ip <address>[/<mask>] [<gateway>]'
  return `No gateway is set to reach ${formatIp(destination)}`
}

/** Formats with three decimals, as `0.345`. */
export const formatMs = (milliseconds: number): string => Math.max(0.001, milliseconds).toFixed(3)

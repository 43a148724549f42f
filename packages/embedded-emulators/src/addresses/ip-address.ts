import { formatIpv4, type Ipv4Address, parseIpv4 } from './ipv4-address.ts'
import { formatIpv6, type Ipv6Address, parseIpv6 } from './ipv6-address.ts'

/** An address of either family: IPv4 as a number, IPv6 as a bigint. */
export type IpAddress = Ipv4Address | Ipv6Address

export const isIpv6 = (address: IpAddress): address is Ipv6Address => typeof address === 'bigint'

export const formatIp = (address: IpAddress): string => (isIpv6(address) ? formatIpv6(address) : formatIpv4(address))

export const parseIp = (text: string): IpAddress | undefined => parseIpv4(text) ?? parseIpv6(text)

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Refusal } from '@trivium/emulation-core/ports'
import { type IpAddress, isIpv6, parseIp } from '../addresses/ip-address.ts'
import { UNSPECIFIED_IPV6 } from '../addresses/ipv6-address.ts'

export interface RemoteAddress {
  /** A numeric address. */
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** Whether datagrams to it reach this machine: its own addresses, and those that mean the machine itself. */
  readonly own: boolean
  readonly loopback: boolean
}

/** Finds the first address of a name. Rejects where the name has no address. */
export type LookUp = (host: string) => Promise<string>

/** Prefers IPv4, as emulators listen there also where `localhost` is an IPv6 address. */
export const systemLookUp: LookUp = async (host) => (await lookup(host, { order: 'ipv4first' })).address

const LOOPBACK_IPV6: IpAddress = 1n
const UNSPECIFIED_IPV4: IpAddress = 0

const withoutZone = (text: string): IpAddress | undefined => parseIp(text.replace(/%.*$/, ''))

const isLoopback = (address: IpAddress): boolean =>
  isIpv6(address) ? address === LOOPBACK_IPV6 : address >>> 24 === 127

/** The unspecified address as a destination is this machine. */
const isOwn = (address: IpAddress): boolean =>
  isLoopback(address) ||
  address === UNSPECIFIED_IPV4 ||
  address === UNSPECIFIED_IPV6 ||
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((own) => withoutZone(own.address) === address))

/** Rejects with a `Refusal` where the name has no address. */
export async function resolveRemote(host: string, lookUp: LookUp): Promise<RemoteAddress> {
  const address = isIP(host) === 0 ? await lookUp(host).catch(() => undefined) : host
  const parsed = address === undefined || isIP(address) === 0 ? undefined : withoutZone(address)
  if (address === undefined || parsed === undefined) {
    throw new Refusal('unavailable', `The host '${host}' can't be resolved.`)
  }
  return { address, family: isIpv6(parsed) ? 'ipv6' : 'ipv4', loopback: isLoopback(parsed), own: isOwn(parsed) }
}

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Refusal } from '@trivium/emulation-core/ports'

export interface RemoteAddress {
  /** A numeric address. */
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** Whether it is an address of this machine. */
  readonly own: boolean
  readonly loopback: boolean
}

/** Finds the first address of a name. Rejects where the name has no address. */
export type LookUp = (host: string) => Promise<string>

/** Prefers IPv4, as emulators listen there also where `localhost` is an IPv6 address. */
export const systemLookUp: LookUp = async (host) => (await lookup(host, { order: 'ipv4first' })).address

const isLoopback = (address: string): boolean => address === '::1' || /^127\./.test(address)

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((own) => own.address === address))

/** Rejects with a `Refusal` where the name has no address. */
export async function resolveRemote(host: string, lookUp: LookUp): Promise<RemoteAddress> {
  const address = isIP(host) === 0 ? await lookUp(host).catch(() => undefined) : host
  if (address === undefined || isIP(address) === 0) {
    throw new Refusal('unavailable', `The host '${host}' can't be resolved.`)
  }
  const loopback = isLoopback(address)
  return { address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4', loopback, own: loopback || isOwn(address) }
}

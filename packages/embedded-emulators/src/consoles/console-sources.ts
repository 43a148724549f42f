import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A socket for IPv6 has IPv4 addresses in this form. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** Returns whether consoles at the address are reachable only from this machine. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * Returns a function that accepts addresses of the networks.
 *
 * @throws TypeError for a text that is neither an address nor a network such as `10.0.0.0/8`
 */
export function consoleSources(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/')
    const family = isIP(address)
    const largest = family === 6 ? 128 : 32
    if (family === 0 || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= largest)))
      throw new TypeError(`'sources' has '${network}', which is neither an address nor a network such as 10.0.0.0/8.`)
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) =>
    address !== undefined && isIP(plain(address)) !== 0 && list.check(plain(address), familyOf(plain(address)))
}

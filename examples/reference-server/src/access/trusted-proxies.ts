import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** The proxies whose `x-forwarded-…` headers are used. */
export interface TrustedProxies {
  isTrusted(address: string): boolean
  /** Whether the connection of a request is one of a trusted proxy. */
  isFromProxy(request: IncomingMessage): boolean
  /** Returns the nearest address, of the connection or in `x-forwarded-for`, that is not a trusted proxy. */
  addressOf(request: IncomingMessage): string | undefined
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  return family !== 0 && more.length === 0 && (bits === undefined || isBits(bits, family === 6 ? 128 : 32))
}

const isBits = (text: string, largest: number): boolean => /^\d{1,3}$/.test(text) && Number(text) <= largest

/** @param networks addresses and networks that {@link isNetwork} accepts */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && list.check(address, familyOf(address))
  return {
    isTrusted,
    isFromProxy: ({ socket: { remoteAddress } }) => remoteAddress !== undefined && isTrusted(remoteAddress),
    addressOf({ socket, headers }) {
      const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
      let address = socket.remoteAddress
      while (address !== undefined && isTrusted(address)) {
        const next = forwarded.pop()?.trim()
        if (next === undefined || next === '') break
        address = next
      }
      return address
    },
  }
}

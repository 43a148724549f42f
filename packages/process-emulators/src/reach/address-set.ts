import { BlockList, isIP } from 'node:net'

export type AddressFamily = 'ipv4' | 'ipv6'

/** A network, or an address with all bits as its prefix. */
export interface Network {
  readonly family: AddressFamily
  readonly address: string
  readonly prefix: number
}

export const prefixBits = { ipv4: 32, ipv6: 128 } as const

/** Reads `10.0.0.0/8` or `2001:db8::1`. `undefined` for any other text, and for an address with a zone. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const prefix = bits === undefined ? prefixBits[family] : Number(bits)
  return prefix > prefixBits[family] ? undefined : { family, address, prefix }
}

/** Networks of both families. */
export interface AddressSet {
  has(address: string, family: AddressFamily): boolean
}

/** Keeps the families apart: one `BlockList` takes each IPv4 address for one in ::ffff:0:0/96, which `::/0` contains. */
export function addressSet(networks: Iterable<Network>): AddressSet {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { family, address, prefix } of networks) lists[family].addSubnet(address, prefix, family)
  return { has: (address, family) => lists[family].check(address, family) }
}

/** @throws RangeError for a text that is not a network */
export const networks = (texts: readonly string[]): readonly Network[] =>
  texts.map((text) => {
    const network = parseNetwork(text)
    if (network === undefined) throw new RangeError(`'${text}' is not a network or an address.`)
    return network
  })

import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'

/** Reads the addresses and networks that are this machine's own. */
export type ReadOwnAddresses = () => Promise<readonly string[]>

/**
 * Lists every address of this machine, anycast ones and networks of local routes included. Those of interfaces without a
 * carrier are answered as well.
 */
export const readOwnAddresses: ReadOwnAddresses = async () => {
  const files = ['fib_trie', 'if_inet6', 'anycast6', 'ipv6_route'] as const
  const [trie = '', inet6 = '', anycast6 = '', routes6 = ''] = await Promise.all(files.map(textOf))
  const listed = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return [
    ...new Set([
      ...listed.map(({ address }) => address.replace(/%.*$/, '')),
      ...localNetworks(trie),
      ...inet6.split('\n').flatMap((line) => withColons(line)),
      ...anycast6.split('\n').flatMap((line) => withColons(line.split(/ +/)[2])),
      ...routes6.split('\n').flatMap(localNetwork6),
    ]),
  ]
}

const textOf = (file: string) => readFile(`/proc/net/${file}`, 'utf8').catch(() => '')

/** Finds the networks of the local table of routes. One address can have several lines. */
function localNetworks(trie: string): readonly string[] {
  const found: string[] = []
  let address = ''
  for (const line of trie.split('\n')) {
    address = /\|-- (\d+\.\d+\.\d+\.\d+)/.exec(line)?.[1] ?? address
    const prefix = /\/(\d+) host LOCAL/.exec(line)?.[1]
    if (prefix !== undefined) found.push(`${address}/${prefix}`)
  }
  return found
}

/** Routes to this machine have the flag RTF_LOCAL. */
const LOCAL_ROUTE = 0x8000_0000

/** Reads the network of a local route: its digits, its prefix, and among others its flags. */
function localNetwork6(line: string): readonly string[] {
  const [digits, prefix = '', , , , , , , flags = ''] = line.trim().split(/ +/)
  if ((Number.parseInt(flags, 16) & LOCAL_ROUTE) === 0) return []
  return withColons(digits).map((address) => `${address}/${Number.parseInt(prefix, 16)}`)
}

/** Converts the 32 digits that begin a text. */
function withColons(text = ''): readonly string[] {
  const digits = /^[0-9a-f]{32}\b/.exec(text)?.[0]
  return digits === undefined ? [] : [(digits.match(/.{4}/g) ?? []).join(':')]
}

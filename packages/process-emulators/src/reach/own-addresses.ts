import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'

/** Reads the addresses of this machine. */
export type ReadOwnAddresses = () => Promise<readonly string[]>

/** Lists every address of this machine. Those of interfaces without a carrier are answered as well, so they are included. */
export const readOwnAddresses: ReadOwnAddresses = async () => {
  const [trie, inet6] = await Promise.all(['/proc/net/fib_trie', '/proc/net/if_inet6'].map(textOf))
  const listed = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return [
    ...new Set([
      ...listed.map(({ address }) => address.replace(/%.*$/, '')),
      ...localAddresses(trie ?? ''),
      ...(inet6 ?? '').split('\n').flatMap(withColons),
    ]),
  ]
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '')

/** Finds the addresses of the local table of routes. */
const localAddresses = (trie: string) =>
  [...trie.matchAll(/\|-- (\d+\.\d+\.\d+\.\d+)\n\s+\/32 host LOCAL/g)].flatMap(([, address]) => address ?? [])

/** Converts the 32 digits that begin a line. */
function withColons(line: string): readonly string[] {
  const digits = /^[0-9a-f]{32}(?= )/.exec(line)?.[0]
  return digits === undefined ? [] : [(digits.match(/.{4}/g) ?? []).join(':')]
}

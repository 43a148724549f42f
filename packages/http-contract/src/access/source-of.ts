const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const MAX_LENGTH = 64
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns the part of an address that a caller cannot choose: a whole IPv4 address, or the first 64 bits of an IPv6
 * one, as `2001:db8:0:0::/64`, whose other half each machine chooses itself. An IPv4-mapped IPv6 address becomes its
 * IPv4 address. Never throws for another text.
 */
export function sourceOf(address: string): string {
  const plain = address.slice(0, MAX_LENGTH)
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  return plain.includes(':') ? networkOf(plain) : plain
}

function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0')
  const network = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

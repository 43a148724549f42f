import { isIPv4, isIPv6 } from 'node:net'

/** The words of pcap-filter that name no host, network or service. */
const words: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'host',
  'net',
  'mask',
  'port',
  'portrange',
  'src',
  'dst',
  'proto',
  'protochain',
  'gateway',
  'ether',
  'fddi',
  'tr',
  'wlan',
  'ip',
  'ip6',
  'arp',
  'rarp',
  'decnet',
  'tcp',
  'udp',
  'sctp',
  'icmp',
  'icmp6',
  'igmp',
  'igrp',
  'pim',
  'vrrp',
  'carp',
  'ah',
  'esp',
  'vlan',
  'mpls',
  'pppoed',
  'pppoes',
  'geneve',
  'stp',
  'llc',
  'iso',
  'clnp',
  'esis',
  'isis',
  'broadcast',
  'multicast',
  'less',
  'greater',
  'len',
  'link',
  'lat',
  'moprc',
  'mopdl',
  'netbeui',
  'ipx',
  'aarp',
  'atalk',
  'tcpflags',
  'icmptype',
  'icmpcode',
  'icmp6type',
  'icmp6code',
  'tcp-fin',
  'tcp-syn',
  'tcp-rst',
  'tcp-push',
  'tcp-ack',
  'tcp-urg',
  'tcp-ece',
  'tcp-cwr',
  'icmp-echoreply',
  'icmp-unreach',
  'icmp-sourcequench',
  'icmp-redirect',
  'icmp-echo',
  'icmp-routeradvert',
  'icmp-routersolicit',
  'icmp-timxceed',
  'icmp-paramprob',
  'icmp-tstamp',
  'icmp-tstampreply',
  'icmp-ireq',
  'icmp-ireqreply',
  'icmp-maskreq',
  'icmp-maskreply',
  'icmp6-echo',
  'icmp6-echoreply',
  'icmp6-routersolicit',
  'icmp6-routeradvert',
  'icmp6-neighborsolicit',
  'icmp6-neighboradvert',
  'icmp6-redirect',
])

const [MAC, RANGE] = [/^([0-9a-f]{1,2}:){5}[0-9a-f]{1,2}$/i, /^\d+-\d+$/]
/** A number, one after an operator as in `ip[2:2]-20`, or the place and size in brackets. */
const OPERAND = /^([:/-]|[:/-]?(\d+|0x[0-9a-f]+)|\d+:[124])$/i
const PART_OF_IPV4 = /^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/

function isAddress(token: string): boolean {
  const [address = '', bits, ...more] = token.split('/')
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false
  return isIPv4(address) || isIPv6(address) || PART_OF_IPV4.test(address)
}

/**
 * Finds the first part of an expression that libpcap might look up as a name of a host, a network or a service: it does
 * that while it compiles. It never looks up words of the syntax, numbers and addresses.
 */
export function findName(expression: string): string | undefined {
  // A backslash makes a name of a word, except after `proto`, where it names a protocol.
  const plain = expression.replace(/\b(proto|protochain)(\s+)\\(?=[a-z])/g, '$1$2')
  if (/[^\w\s.:/()[\]<>=!&|+*%^-]/.test(plain)) return plain.match(/[^\w\s.:/()[\]<>=!&|+*%^-].{0,20}/)?.[0]
  let previous = ''
  for (const token of plain.match(/[\w.:/-]+/g) ?? []) {
    const isKnown =
      words.has(token) ||
      isAddress(token) ||
      MAC.test(token) ||
      OPERAND.test(token) ||
      (RANGE.test(token) && previous === 'portrange')
    if (!isKnown) return token
    previous = token
  }
  return undefined
}

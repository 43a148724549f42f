import type { LabReach } from '../reach/lab-reach.ts'
import { byteAt, ipv4At, ipv6At, wordAt } from './frame-reader.ts'
import { natNetwork } from './nat-network.ts'

/** `refused` is a packet to a single address that is not open: its sender gets an answer. */
export type Verdict = 'pass' | 'drop' | 'refused'

const ETHERNET = 14
const IPV4_HEADER = 20
const IPV6_HEADER = 40
const [ARP, IPV4, IPV6] = [0x0806, 0x0800, 0x86dd]
const [ICMP, TCP, UDP, ICMPV6] = [1, 6, 17, 58]
const [DHCP, DNS] = [67, 53]
const ECHO_REQUEST = 8
const ECHO_REQUEST_V6 = 128
const ROUTER_SOLICITATION = 133
const [NEIGHBOUR_SOLICITATION, NEIGHBOUR_ADVERTISEMENT] = [135, 136]

const { ipv4: lan } = natNetwork
const LAN_PREFIX = lan.network.slice(0, lan.network.lastIndexOf('.') + 1)
const LAN_V6_PREFIX = 'fec0:0:0:0:'
const GATEWAY_V6 = 'fec0:0:0:0:0:0:0:2'
const RESOLVER_V6 = 'fec0:0:0:0:0:0:0:3'

/**
 * Decides about a frame from the lab before the program of the NAT node gets it: what passes here is all that the
 * program acts on. Open are DHCP, questions to the resolver where names are resolved, echo requests to gateway and
 * resolver, address resolution, and packets to addresses that the reach allows. The rest of the network of the node is
 * closed, as the program sends it to the loopback address of the host.
 *
 * Each fragment is judged by its own destination, so that fragments of an allowed packet pass. Frames with VLAN tags,
 * options of IPv4 and extension headers of IPv6 are dropped.
 */
export function judgeFrame(frame: Uint8Array, reach: LabReach): Verdict {
  if (frame.length < ETHERNET) return 'drop'
  switch (wordAt(frame, 12)) {
    case ARP:
      return isArp(frame) ? 'pass' : 'drop'
    case IPV4:
      return judgeIpv4(frame, reach)
    case IPV6:
      return judgeIpv6(frame, reach)
    default:
      return 'drop'
  }
}

/** Ethernet and IPv4 addresses, as a request or a reply. */
const isArp = (frame: Uint8Array): boolean =>
  frame.length >= ETHERNET + 28 &&
  wordAt(frame, ETHERNET) === 1 &&
  wordAt(frame, ETHERNET + 2) === IPV4 &&
  wordAt(frame, ETHERNET + 4) === 0x0604 &&
  (wordAt(frame, ETHERNET + 6) === 1 || wordAt(frame, ETHERNET + 6) === 2)

function judgeIpv4(frame: Uint8Array, reach: LabReach): Verdict {
  const length = wordAt(frame, ETHERNET + 2)
  if (byteAt(frame, ETHERNET) !== 0x45 || length < IPV4_HEADER || frame.length < ETHERNET + length) return 'drop'
  const protocol = byteAt(frame, ETHERNET + 9)
  const isWhole = (wordAt(frame, ETHERNET + 6) & 0x3fff) === 0
  const [source, destination] = [ipv4At(frame, ETHERNET + 12), ipv4At(frame, ETHERNET + 16)]
  const payload = ETHERNET + IPV4_HEADER
  const isUdpTo = (port: number) =>
    isWhole && protocol === UDP && length >= IPV4_HEADER + 8 && wordAt(frame, payload + 2) === port
  if (destination === '255.255.255.255' || destination === lan.gateway) {
    if (isUdpTo(DHCP)) return 'pass'
    if (destination !== lan.gateway) return 'drop'
  }
  if (!source.startsWith(LAN_PREFIX)) return 'drop'
  if (destination.startsWith(LAN_PREFIX)) {
    if (destination !== lan.gateway && destination !== lan.resolver) return 'drop'
    if (isWhole && protocol === ICMP && length >= IPV4_HEADER + 8 && byteAt(frame, payload) === ECHO_REQUEST)
      return 'pass'
    if (destination === lan.resolver && reach.names && isUdpTo(DNS)) return 'pass'
    return 'refused'
  }
  if (protocol !== ICMP && protocol !== TCP && protocol !== UDP) return 'drop'
  if (reach.allows(destination, 'ipv4')) return 'pass'
  return byteAt(frame, ETHERNET + 16) >= 224 ? 'drop' : 'refused'
}

function judgeIpv6(frame: Uint8Array, reach: LabReach): Verdict {
  const length = wordAt(frame, ETHERNET + 4)
  const payload = ETHERNET + IPV6_HEADER
  if (!reach.families.ipv6 || byteAt(frame, ETHERNET) >> 4 !== 6 || frame.length < payload + length) return 'drop'
  const protocol = byteAt(frame, ETHERNET + 6)
  const [source, destination] = [ipv6At(frame, ETHERNET + 8), ipv6At(frame, ETHERNET + 24)]
  const isServer = destination === GATEWAY_V6 || destination === RESOLVER_V6
  if (protocol === ICMPV6) {
    const type = byteAt(frame, payload)
    const isNeighbour = type === NEIGHBOUR_SOLICITATION || type === NEIGHBOUR_ADVERTISEMENT
    if (length < 8) return 'drop'
    if (type === ROUTER_SOLICITATION || isNeighbour) return isLocal(destination) ? 'pass' : 'drop'
    // The program answers only for itself.
    return type === ECHO_REQUEST_V6 && isServer ? 'pass' : 'drop'
  }
  if ((protocol !== TCP && protocol !== UDP) || length < 8 || !source.startsWith(LAN_V6_PREFIX)) return 'drop'
  if (isLocal(destination)) {
    const isQuestion = protocol === UDP && wordAt(frame, payload + 2) === DNS
    return destination === RESOLVER_V6 && reach.names && isQuestion ? 'pass' : 'drop'
  }
  return reach.allows(destination, 'ipv6') ? 'pass' : 'refused'
}

/** Addresses of the network of the node, link-local and multicast ones. */
const isLocal = (address: string): boolean => address.startsWith(LAN_V6_PREFIX) || /^f(?:e[89ab].|f..):/.test(address)

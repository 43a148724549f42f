import { type Ipv6Address, isMulticastIpv6, UNSPECIFIED_IPV6 } from '../../addresses/ipv6-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Icmp } from '../../frames/icmp.ts'
import { icmpv6Types, readIcmpv6, writeIcmpv6 } from '../../frames/icmpv6.ts'
import { protocols } from '../../frames/ipv4.ts'
import { IPV6_HEADER_LENGTH, type Ipv6 } from '../../frames/ipv6.ts'
import { DISCOVERY_HOP_LIMIT, type NeighbourMessage } from '../../frames/neighbour-message.ts'
import type { Ends } from '../../frames/pseudo-header.ts'
import { readNeighbourMessage } from '../../frames/read-neighbour-message.ts'
import { refuseTcp } from '../../frames/tcp.ts'
import { readUdp } from '../../frames/udp.ts'
import type { OutgoingIpv6 } from './outgoing-ipv6.ts'
import { echoKey, type Probes } from './probes.ts'
import { quotedProbe } from './quoted-probe.ts'
import type { UdpPorts } from './udp-ports.ts'

export interface Ipv6ReceiverOptions {
  readonly udp: UdpPorts
  readonly probes: Probes
  readonly isOwn: (address: Ipv6Address) => boolean
  /** Whether this host listens to the group. */
  readonly isListening: (group: Ipv6Address) => boolean
  readonly send: (packet: OutgoingIpv6) => void
  readonly discovered: (message: NeighbourMessage, source: Ipv6Address, from: MacAddress) => void
}

const PORT_UNREACHABLE = 4

/** Bytes of a packet that an error quotes: as many as fit into the least MTU. */
const quotationBytes = 1280 - IPV6_HEADER_LENGTH - 8

/** Creates the receiver of packets. It handles discovery, echoes, answers and UDP, and refuses or ignores the rest. */
export function createIpv6Receiver({ udp, probes, isOwn, isListening, send, discovered }: Ipv6ReceiverOptions) {
  /** Replies, but not to a packet for many receivers. */
  const reply = (packet: Ipv6, icmp: Icmp) => {
    const source = packet.destination
    if (!isOwn(source) || packet.source === UNSPECIFIED_IPV6 || isMulticastIpv6(packet.source)) return
    const payload = writeIcmpv6(icmp, { family: 'ipv6', source, destination: packet.source })
    send({ destination: packet.source, source, nextHeader: protocols.icmpv6, payload })
  }

  const receiveIcmp = (packet: Ipv6, ends: Ends, from: MacAddress) => {
    const icmp = readIcmpv6(packet.payload, ends)
    if (icmp === undefined) return
    const { source, hopLimit } = packet
    if (icmp.type >= icmpv6Types.routerSolicitation && icmp.type <= icmpv6Types.neighbourAdvertisement) {
      const message = hopLimit === DISCOVERY_HOP_LIMIT ? readNeighbourMessage(icmp) : undefined
      if (message !== undefined) discovered(message, source, from)
    } else if (icmp.type === icmpv6Types.echoRequest) reply(packet, { ...icmp, type: icmpv6Types.echoReply, code: 0 })
    else if (icmp.type === icmpv6Types.echoReply) {
      const bytes = IPV6_HEADER_LENGTH + packet.payload.length
      probes.answer(echoKey(icmp.rest[0], icmp.rest[1]), { type: 'reply', from: source, timeToLive: hopLimit, bytes })
    } else if (icmp.type >= icmpv6Types.unreachable && icmp.type <= icmpv6Types.timeExceeded) {
      const key = quotedProbe(icmp.payload)
      if (key === undefined) return
      const { type: icmpType, code } = icmp
      probes.answer(key, { type: 'refused', from: source, timeToLive: hopLimit, icmpType, code })
    }
  }

  const receiveUdp = (packet: Ipv6, ends: Ends, whole: Uint8Array) => {
    const message = readUdp(packet.payload, ends)
    if (message === undefined) return
    const { source, destination: to, hopLimit: timeToLive } = packet
    const bytes = IPV6_HEADER_LENGTH + packet.payload.length
    if (udp.deliver({ ...message, from: source, to, timeToLive, bytes })) return
    const payload = whole.subarray(0, quotationBytes)
    reply(packet, { type: icmpv6Types.unreachable, code: PORT_UNREACHABLE, rest: [0, 0], payload })
  }

  /** @param whole the packet as received */
  return (packet: Ipv6, from: MacAddress, whole: Uint8Array): void => {
    if (!isOwn(packet.destination) && !(isMulticastIpv6(packet.destination) && isListening(packet.destination))) return
    const ends: Ends = { family: 'ipv6', source: packet.source, destination: packet.destination }
    if (packet.nextHeader === protocols.icmpv6) receiveIcmp(packet, ends, from)
    else if (packet.nextHeader === protocols.udp) receiveUdp(packet, ends, whole)
    else if (packet.nextHeader === protocols.tcp && isOwn(packet.destination)) {
      const payload = refuseTcp(packet.payload, ends)
      if (payload !== undefined) send({ destination: packet.source, nextHeader: protocols.tcp, payload })
    }
  }
}

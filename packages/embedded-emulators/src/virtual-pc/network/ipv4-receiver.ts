import type { Ipv4Address } from '../../addresses/ipv4-address.ts'
import { dhcpPorts } from '../../frames/dhcp.ts'
import { type Icmp, icmpTypes, readIcmp, writeIcmp } from '../../frames/icmp.ts'
import { IPV4_HEADER_LENGTH, type Ipv4, protocols } from '../../frames/ipv4.ts'
import type { Ends } from '../../frames/pseudo-header.ts'
import { refuseTcp } from '../../frames/tcp.ts'
import { readUdp } from '../../frames/udp.ts'
import type { OutgoingIpv4 } from './outgoing-ipv4.ts'
import { echoKey, type Probes } from './probes.ts'
import { quotedProbe } from './quoted-probe.ts'
import type { UdpPorts } from './udp-ports.ts'

export interface Ipv4ReceiverOptions {
  readonly udp: UdpPorts
  readonly probes: Probes
  readonly isOwn: (address: Ipv4Address) => boolean
  readonly isBroadcast: (address: Ipv4Address) => boolean
  readonly send: (packet: OutgoingIpv4) => void
}

/** Codes of ICMP type 3, unreachable. */
const unreachable = { protocol: 2, port: 3 } as const

/** Creates the receiver of packets. It answers echo requests, passes on answers and UDP, and refuses the rest. */
export function createIpv4Receiver({ udp, probes, isOwn, isBroadcast, send }: Ipv4ReceiverOptions) {
  const reply = (packet: Ipv4, icmp: Icmp) =>
    send({ destination: packet.source, protocol: protocols.icmp, payload: writeIcmp(icmp) })

  const refuse = (packet: Ipv4, quotation: Uint8Array, code: number) => {
    // A host must not refuse a packet to many receivers, or one whose sender has no address.
    if (!isOwn(packet.destination) || packet.source === 0) return
    reply(packet, { type: icmpTypes.unreachable, code, rest: [0, 0], payload: quotation })
  }

  const receiveIcmp = (packet: Ipv4) => {
    const icmp = readIcmp(packet.payload)
    if (icmp === undefined || !isOwn(packet.destination)) return
    const { source: from, timeToLive } = packet
    if (icmp.type === icmpTypes.echoRequest) reply(packet, { ...icmp, type: icmpTypes.echoReply, code: 0 })
    else if (icmp.type === icmpTypes.echoReply) {
      const bytes = IPV4_HEADER_LENGTH + packet.payload.length
      probes.answer(echoKey(icmp.rest[0], icmp.rest[1]), { type: 'reply', from, timeToLive, bytes })
    } else if (icmp.type === icmpTypes.unreachable || icmp.type === icmpTypes.timeExceeded) {
      const key = quotedProbe(icmp.payload)
      if (key === undefined) return
      probes.answer(key, { type: 'refused', from, timeToLive, icmpType: icmp.type, code: icmp.code })
    }
  }

  const receiveUdp = (packet: Ipv4, ends: Ends, quotation: Uint8Array) => {
    const message = readUdp(packet.payload, ends)
    if (message === undefined) return
    // A DHCP server answers to the address that it assigns, which is not set yet.
    const isForUs = isOwn(packet.destination) || isBroadcast(packet.destination)
    if (!isForUs && message.destinationPort !== dhcpPorts.client) return
    const { source: from, destination: to, timeToLive } = packet
    const delivered = udp.deliver({
      ...message,
      from,
      to,
      timeToLive,
      bytes: IPV4_HEADER_LENGTH + packet.payload.length,
    })
    if (!delivered) refuse(packet, quotation, unreachable.port)
  }

  /** @param quotation the beginning of the packet as received */
  return (packet: Ipv4, quotation: Uint8Array): void => {
    const ends: Ends = { family: 'ipv4', source: packet.source, destination: packet.destination }
    if (packet.protocol === protocols.icmp) receiveIcmp(packet)
    else if (packet.protocol === protocols.udp) receiveUdp(packet, ends, quotation)
    else if (packet.protocol === protocols.tcp) {
      const payload = isOwn(packet.destination) ? refuseTcp(packet.payload, ends) : undefined
      if (payload !== undefined) send({ destination: packet.source, protocol: protocols.tcp, payload })
    } else refuse(packet, quotation, unreachable.protocol)
  }
}

import { type Bytes, bytesOf, hexNumber, ipv4Address, ipv6Address, macAddress, TruncatedPacketError } from './bytes.ts'
import { decodeIcmp, decodeIcmpv6 } from './icmp.ts'
import { decodeTcp, decodeUdp } from './transport.ts'

/** The summary of a packet in one line. */
export interface PacketSummary {
  readonly source: string
  readonly destination: string
  /** The innermost protocol that the console decodes. */
  readonly protocol: string
  readonly info: string
}

const ETHERNET = 1

/**
 * Summarises a packet. A truncated packet does not throw.
 *
 * @param linkType the number of libpcap
 */
export function decodePacket(raw: Uint8Array, linkType: number): PacketSummary {
  const unknown: PacketSummary = { source: '', destination: '', protocol: 'data', info: `${raw.length} bytes` }
  if (linkType !== ETHERNET) return { ...unknown, info: `Data link type ${linkType}, ${raw.length} bytes` }
  try {
    return decodeEthernet(bytesOf(raw))
  } catch (error) {
    if (error instanceof TruncatedPacketError) return { ...unknown, info: 'Truncated' }
    throw error
  }
}

const vlanTags: readonly number[] = [0x8100, 0x88a8, 0x9100]

function decodeEthernet(frame: Bytes): PacketSummary {
  const [destination, source] = [macAddress(frame, 0), macAddress(frame, 6)]
  const vlans: number[] = []
  let at = 12
  while (vlanTags.includes(frame.u16(at))) {
    vlans.push(frame.u16(at + 2) & 0xfff)
    at += 4
  }
  const type = frame.u16(at)
  const words = withAddresses({ source, destination }, () =>
    decodePayload(type, frame.slice(at + 2), { source, destination }),
  )
  return vlans.length === 0 ? words : { ...words, info: `VLAN ${vlans.join(', ')} · ${words.info}` }
}

interface Addresses {
  readonly source: string
  readonly destination: string
}

/** Keeps the addresses of a packet that is truncated after them. */
function withAddresses(addresses: Addresses, decode: () => PacketSummary): PacketSummary {
  try {
    return decode()
  } catch (error) {
    if (error instanceof TruncatedPacketError) return { ...addresses, protocol: 'Ethernet', info: 'Truncated' }
    throw error
  }
}

function decodePayload(type: number, payload: Bytes, addresses: Addresses): PacketSummary {
  switch (type) {
    case 0x0800:
      return decodeIpv4(payload)
    case 0x0806:
      return { ...addresses, protocol: 'ARP', info: decodeArp(payload) }
    case 0x86dd:
      return decodeIpv6(payload)
    default: {
      // Up to 1500 the field is the length of an IEEE 802.3 frame.
      const info = type <= 1500 ? `IEEE 802.3, ${type} bytes` : `Type ${hexNumber(type, 4)}`
      return { ...addresses, protocol: 'Ethernet', info }
    }
  }
}

function decodeArp(packet: Bytes): string {
  const [sender, target] = [ipv4Address(packet, 14), ipv4Address(packet, 24)]
  switch (packet.u16(6)) {
    case 1:
      return sender === target ? `Announcement of ${sender}` : `Request for ${target} from ${sender}`
    case 2:
      return `${sender} is at ${macAddress(packet, 8)}`
    default:
      return `Operation ${packet.u16(6)}`
  }
}

function decodeIpv4(packet: Bytes): PacketSummary {
  const addresses = { source: ipv4Address(packet, 12), destination: ipv4Address(packet, 16) }
  const headerLength = 4 * (packet.u8(0) & 0xf)
  const offset = 8 * (packet.u16(6) & 0x1fff)
  // Frames are padded to 60 bytes, so the length in the packet counts.
  const payload = packet.slice(headerLength, Math.max(0, packet.u16(2) - headerLength))
  const protocol = packet.u8(9)
  if (offset > 0) {
    return { ...addresses, protocol: 'IPv4', info: `Fragment from byte ${offset} on, ${payload.length} bytes` }
  }
  return withAddresses(addresses, () => ({ ...addresses, ...decodeTransport(protocol, payload, 'IPv4') }))
}

const IPV6_HEADER = 40

function decodeIpv6(packet: Bytes): PacketSummary {
  const addresses = { source: ipv6Address(packet, 8), destination: ipv6Address(packet, 24) }
  const payload = packet.slice(IPV6_HEADER, packet.u16(4))
  return withAddresses(addresses, () => ({ ...addresses, ...decodeTransport(packet.u8(6), payload, 'IPv6') }))
}

function decodeTransport(protocol: number, payload: Bytes, carrier: string): Omit<PacketSummary, keyof Addresses> {
  switch (protocol) {
    case 1:
      return { protocol: 'ICMP', info: decodeIcmp(payload) }
    case 6:
      return { protocol: 'TCP', info: decodeTcp(payload) }
    case 17:
      return { protocol: 'UDP', info: decodeUdp(payload) }
    case 58:
      return { protocol: 'ICMPv6', info: decodeIcmpv6(payload) }
    default:
      return { protocol: carrier, info: `Protocol ${protocol}, ${payload.length} bytes` }
  }
}

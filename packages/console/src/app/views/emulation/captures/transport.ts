import type { Bytes } from './bytes.ts'

const UDP_HEADER = 8

/** Summarises a UDP datagram. @throws TruncatedPacketError */
export function decodeUdp(datagram: Bytes): string {
  const [from, to] = [datagram.u16(0), datagram.u16(2)]
  const service = knownPorts.get(to) ?? knownPorts.get(from)
  const words = `${from} → ${to}, ${Math.max(0, datagram.u16(4) - UDP_HEADER)} bytes`
  return service === undefined ? words : `${words} (${service})`
}

const knownPorts: ReadonlyMap<number, string> = new Map([
  [53, 'DNS'],
  [67, 'DHCP'],
  [68, 'DHCP'],
  [69, 'TFTP'],
  [123, 'NTP'],
  [520, 'RIP'],
  [547, 'DHCPv6'],
  [5353, 'mDNS'],
])

const flags = ['FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG', 'ECE', 'CWR'] as const

/** Summarises a TCP segment. @throws TruncatedPacketError */
export function decodeTcp(segment: Bytes): string {
  const headerLength = 4 * (segment.u8(12) >> 4)
  const bits = segment.u8(13)
  const set = flags.filter((_flag, bit) => (bits & (1 << bit)) !== 0).join(', ')
  const length = Math.max(0, segment.length - headerLength)
  return `${segment.u16(0)} → ${segment.u16(2)} [${set}] sequence ${segment.u32(4)}, ${length} bytes`
}

import { type Bytes, ipv6Address } from './bytes.ts'

const echoSummary = (what: string, message: Bytes) => `${what}, id ${message.u16(4)}, sequence ${message.u16(6)}`

const unreachable = ['network', 'host', 'protocol', 'port', 'fragmentation needed', 'source route'] as const

/** Summarises an ICMP message. @throws TruncatedPacketError */
export function decodeIcmp(message: Bytes): string {
  const code = message.u8(1)
  switch (message.u8(0)) {
    case 0:
      return echoSummary('Echo reply', message)
    case 3:
      return `Unreachable: ${unreachable[code] ?? `code ${code}`}`
    case 5:
      return 'Redirect'
    case 8:
      return echoSummary('Echo request', message)
    case 11:
      return code === 0 ? 'Time exceeded in transit' : 'Time exceeded during reassembly'
    default:
      return `Type ${message.u8(0)}, code ${code}`
  }
}

/** Summarises an ICMPv6 message. @throws TruncatedPacketError */
export function decodeIcmpv6(message: Bytes): string {
  switch (message.u8(0)) {
    case 1:
      return `Unreachable: code ${message.u8(1)}`
    case 2:
      return 'Packet too big'
    case 3:
      return 'Time exceeded'
    case 128:
      return echoSummary('Echo request', message)
    case 129:
      return echoSummary('Echo reply', message)
    case 133:
      return 'Router solicitation'
    case 134:
      return 'Router advertisement'
    case 135:
      return `Neighbour solicitation for ${ipv6Address(message, 8)}`
    case 136:
      return `Neighbour advertisement of ${ipv6Address(message, 8)}`
    default:
      return `Type ${message.u8(0)}, code ${message.u8(1)}`
  }
}

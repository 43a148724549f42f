import { byteAt, readUint16 } from '../../frames/bytes.ts'
import { icmpTypes } from '../../frames/icmp.ts'
import { icmpv6Types } from '../../frames/icmpv6.ts'
import { protocols } from '../../frames/ipv4.ts'
import { IPV6_HEADER_LENGTH } from '../../frames/ipv6.ts'
import { echoKey, udpKey } from './probes.ts'

/**
 * The key of the probe whose beginning an ICMP error quotes. `undefined` where the quotation is too short or not of a
 * probe.
 */
export function quotedProbe(quotation: Uint8Array): string | undefined {
  const version = byteAt(quotation, 0) >> 4
  const at = version === 6 ? IPV6_HEADER_LENGTH : (byteAt(quotation, 0) & 0xf) * 4
  const protocol = byteAt(quotation, version === 6 ? 6 : 9)
  if (quotation.length < at + 8) return undefined
  if (protocol === protocols.udp) return udpKey(readUint16(quotation, at), readUint16(quotation, at + 2))
  const type = byteAt(quotation, at)
  const isEcho =
    (protocol === protocols.icmp && type === icmpTypes.echoRequest) ||
    (protocol === protocols.icmpv6 && type === icmpv6Types.echoRequest)
  return isEcho ? echoKey(readUint16(quotation, at + 4), readUint16(quotation, at + 6)) : undefined
}

import { setChecksum } from './checksums.ts'
import { byteAt, wordAt } from './frame-reader.ts'
import { natNetwork } from './nat-network.ts'

const ETHERNET = 14
const IPV4 = 0x0800
const IPV4_HEADER = 20
/** Destination unreachable, as communication is administratively prohibited (RFC 1812). */
const [UNREACHABLE, PROHIBITED] = [3, 13]

/** The hardware address of the gateway, which the program derives from its address. */
const gateway = natNetwork.ipv4.gateway.split('.').map(Number)
const hardware = [0x52, 0x55, ...gateway]

/** Builds the ICMP message for a refused IPv4 packet. `undefined` for other frames, and for one that must not be answered. */
export function prohibitedReply(frame: Uint8Array): Uint8Array | undefined {
  if (wordAt(frame, 12) !== IPV4 || (byteAt(frame, 6) & 1) === 1) return undefined
  const isFirstFragment = (wordAt(frame, ETHERNET + 6) & 0x1fff) === 0
  const isIcmp = byteAt(frame, ETHERNET + 9) === 1
  // Errors are not answered with errors.
  if (!isFirstFragment || (isIcmp && byteAt(frame, ETHERNET + IPV4_HEADER) !== 8)) return undefined

  const quoted = frame.subarray(ETHERNET, ETHERNET + Math.min(wordAt(frame, ETHERNET + 2), IPV4_HEADER + 8))
  const reply = new Uint8Array(ETHERNET + IPV4_HEADER + 8 + quoted.length)
  reply.set(frame.subarray(6, 12), 0)
  reply.set(hardware, 6)
  reply.set([0x08, 0x00], 12)

  const header = reply.subarray(ETHERNET, ETHERNET + IPV4_HEADER)
  const length = reply.length - ETHERNET
  header.set([0x45, 0, length >> 8, length & 0xff, 0, 0, 0, 0, 64, 1])
  header.set(gateway, 12)
  header.set(frame.subarray(ETHERNET + 12, ETHERNET + 16), 16)
  setChecksum(header, 10)

  const message = reply.subarray(ETHERNET + IPV4_HEADER)
  message.set([UNREACHABLE, PROHIBITED])
  message.set(quoted, 8)
  setChecksum(message, 2)
  return reply
}

import type { LabReach } from '../reach/lab-reach.ts'
import { setIpv4UdpChecksums, setUdpChecksum, setWord } from './checksums.ts'
import { byteAt, ipv4At, ipv6At, wordAt } from './frame-reader.ts'
import { natNetwork } from './nat-network.ts'

const ETHERNET = 14
const [IPV4, IPV6, UDP, DNS] = [0x0800, 0x86dd, 17, 53]
const [IPV6_HEADER, UDP_HEADER, DNS_HEADER] = [40, 8, 12]
const [A, AAAA, OPT, SVCB, HTTPS, INTERNET_CLASS] = [1, 28, 41, 64, 65, 1]
const RESOLVER_V6 = 'fec0:0:0:0:0:0:0:3'
const REFUSED = 5

/**
 * Decides about a frame of the program of the NAT node. An answer of the resolver that contains an address that is not
 * open becomes the answer `REFUSED`, so that the lab does not learn addresses of private networks by their names. An
 * answer in fragments is dropped.
 *
 * @returns the frame for the lab; `undefined` for one that is dropped
 */
export function withoutClosedAnswers(frame: Uint8Array, reach: LabReach): Uint8Array | undefined {
  const udp = udpOffset(frame)
  if (udp === undefined) return frame
  if (udp === 'fragment') return undefined
  if (wordAt(frame, udp) !== DNS) return frame
  const message = frame.subarray(udp + UDP_HEADER, udp + wordAt(frame, udp + 4))
  if (hasOnlyOpenAddresses(message, reach)) return frame
  const question = questionEnd(message)
  return question === undefined ? undefined : refusal(frame, udp, question)
}

/** Finds the UDP header of a packet of the resolver. `undefined` for every other frame. */
function udpOffset(frame: Uint8Array): number | 'fragment' | undefined {
  if (wordAt(frame, 12) === IPV4) {
    if (ipv4At(frame, ETHERNET + 12) !== natNetwork.ipv4.resolver || byteAt(frame, ETHERNET + 9) !== UDP)
      return undefined
    return (wordAt(frame, ETHERNET + 6) & 0x3fff) === 0 ? ETHERNET + 4 * (byteAt(frame, ETHERNET) & 15) : 'fragment'
  }
  if (wordAt(frame, 12) !== IPV6 || ipv6At(frame, ETHERNET + 8) !== RESOLVER_V6) return undefined
  const next = byteAt(frame, ETHERNET + 6)
  if (next === UDP) return ETHERNET + IPV6_HEADER
  return next === 44 ? 'fragment' : undefined
}

function hasOnlyOpenAddresses(message: Uint8Array, reach: LabReach): boolean {
  if (message.length < DNS_HEADER || wordAt(message, 4) !== 1) return false
  let offset = questionEnd(message)
  const records = wordAt(message, 6) + wordAt(message, 8) + wordAt(message, 10)
  for (let left = records; left > 0; left -= 1) {
    const fixed: number | undefined = offset === undefined ? undefined : nameEnd(message, offset)
    if (fixed === undefined || fixed + 10 > message.length) return false
    const [type, kind, length] = [wordAt(message, fixed), wordAt(message, fixed + 2), wordAt(message, fixed + 8)]
    const data = fixed + 10
    offset = data + length
    if (offset > message.length) return false
    // The class of OPT is a size.
    if (type === OPT) continue
    // Service bindings can hint at addresses; clients ask for addresses without them.
    if (kind !== INTERNET_CLASS || type === SVCB || type === HTTPS) return false
    if (type === A && (length !== 4 || !reach.allows(ipv4At(message, data), 'ipv4'))) return false
    if (type === AAAA && (length !== 16 || !reach.allows(ipv6At(message, data), 'ipv6'))) return false
  }
  return offset !== undefined
}

/** The end of the only question, after its type and class. */
function questionEnd(message: Uint8Array): number | undefined {
  const end = nameEnd(message, DNS_HEADER)
  return end === undefined || end + 4 > message.length ? undefined : end + 4
}

/** The end of a name in a message. A pointer ends it. */
function nameEnd(message: Uint8Array, start: number): number | undefined {
  for (let offset = start; offset < message.length; ) {
    const length = byteAt(message, offset)
    if (length === 0) return offset + 1
    if (length >= 0xc0) return offset + 2
    if (length > 63) return undefined
    offset += 1 + length
  }
  return undefined
}

/** Builds the answer `REFUSED` to the question of an answer. */
function refusal(frame: Uint8Array, udp: number, questionLength: number): Uint8Array {
  const end = udp + UDP_HEADER + questionLength
  const reply = frame.slice(0, end)
  const message = udp + UDP_HEADER
  reply[message + 3] = (byteAt(frame, message + 3) & 0xf0) | REFUSED
  for (const counter of [6, 8, 10]) setWord(reply, message + counter, 0)
  setWord(reply, udp + 4, end - udp)
  if (wordAt(frame, 12) === IPV4) {
    setWord(reply, ETHERNET + 2, end - ETHERNET)
    setIpv4UdpChecksums(reply)
    return reply
  }
  setWord(reply, ETHERNET + 4, end - udp)
  setUdpChecksum(reply, udp, reply.subarray(ETHERNET + 8, ETHERNET + IPV6_HEADER))
  return reply
}

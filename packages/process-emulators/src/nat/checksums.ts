import { byteAt, wordAt } from './frame-reader.ts'

const ETHERNET = 14
const IPV4_HEADER = 20
const UDP = 17

/** Sets the checksum of bytes at an offset in them (RFC 1071). */
export function setChecksum(bytes: Uint8Array, offset: number, start = 0): void {
  setWord(bytes, offset, 0)
  setWord(bytes, offset, checksum(partialSum(bytes, start)))
}

/** Sets the checksums of an IPv4 header without options and of the UDP after it. */
export function setIpv4UdpChecksums(frame: Uint8Array): void {
  setChecksum(frame.subarray(ETHERNET, ETHERNET + IPV4_HEADER), 10)
  setUdpChecksum(frame, ETHERNET + IPV4_HEADER, frame.subarray(ETHERNET + 12, ETHERNET + 20))
}

/** @param addresses those of the IP header, which the sum includes */
export function setUdpChecksum(frame: Uint8Array, udp: number, addresses: Uint8Array): void {
  const length = wordAt(frame, udp + 4)
  const datagram = frame.subarray(udp, udp + length)
  setChecksum(datagram, 6, partialSum(addresses, UDP + length))
  // 0 would mean that there is no checksum.
  if (wordAt(datagram, 6) === 0) setWord(datagram, 6, 0xffff)
}

export function setWord(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >> 8
  bytes[offset + 1] = value & 0xff
}

function partialSum(bytes: Uint8Array, start: number): number {
  let total = start
  for (let offset = 0; offset < bytes.length; offset += 2)
    total += offset + 1 < bytes.length ? wordAt(bytes, offset) : byteAt(bytes, offset) << 8
  return total
}

function checksum(sum: number): number {
  let folded = sum
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x1_0000)
  return ~folded & 0xffff
}

/** Reads the fields of a packet, in network byte order. */
export interface Bytes {
  readonly length: number
  /** @throws TruncatedPacketError where the packet has no such byte */
  u8(at: number): number
  u16(at: number): number
  u32(at: number): number
  /** The bytes from a position on, at most `length` of them. */
  slice(at: number, length?: number): Bytes
  readonly raw: Uint8Array
}

/** The packet ends before a field that is read. */
export class TruncatedPacketError extends Error {
  override readonly name = 'CutShortError'
}

/** Creates a reader of a packet. */
export function bytesOf(raw: Uint8Array): Bytes {
  const u8 = (at: number) => {
    const value = raw[at]
    if (value === undefined) throw new TruncatedPacketError()
    return value
  }
  const u16 = (at: number) => u8(at) * 0x100 + u8(at + 1)
  return {
    length: raw.length,
    u8,
    u16,
    u32: (at) => u16(at) * 0x1_0000 + u16(at + 2),
    slice: (at, length) => bytesOf(raw.subarray(at, length === undefined ? undefined : at + length)),
    raw,
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** Writes 6 bytes as a MAC address. */
export const macAddress = (bytes: Bytes, at: number): string =>
  [0, 1, 2, 3, 4, 5].map((index) => hex(bytes.u8(at + index), 2)).join(':')

/** Writes 4 bytes as an IPv4 address. */
export const ipv4Address = (bytes: Bytes, at: number): string =>
  [0, 1, 2, 3].map((index) => bytes.u8(at + index)).join('.')

/** Writes 16 bytes as an IPv6 address, in the form of RFC 5952. */
export function ipv6Address(bytes: Bytes, at: number): string {
  const words = Array.from({ length: 8 }, (_none, index) => bytes.u16(at + 2 * index))
  let [start, length] = [0, 0]
  for (let first = 0; first < words.length; first += 1) {
    let end = first
    while (words[end] === 0) end += 1
    if (end - first > length) [start, length] = [first, end - first]
  }
  const write = (some: readonly number[]) => some.map((word) => word.toString(16)).join(':')
  return length < 2 ? write(words) : `${write(words.slice(0, start))}::${write(words.slice(start + length))}`
}

/** Writes a number with at least `digits` hexadecimal digits: `0x0800`. */
export const hexNumber = (value: number, digits: number): string => `0x${hex(value, digits)}`

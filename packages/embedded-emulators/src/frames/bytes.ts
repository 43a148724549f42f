/** Returns 0 after the end, as all readers here do. Callers check lengths first. */
export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

export const readUint16 = (bytes: Uint8Array, at: number): number => (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)

export const readUint32 = (bytes: Uint8Array, at: number): number =>
  readUint16(bytes, at) * 0x10000 + readUint16(bytes, at + 2)

/** Reads 48 bits. */
export const readMac = (bytes: Uint8Array, at: number): number =>
  readUint16(bytes, at) * 0x100000000 + readUint32(bytes, at + 2)

export const readUint128 = (bytes: Uint8Array, at: number): bigint =>
  (((BigInt(readUint32(bytes, at)) << 32n) | BigInt(readUint32(bytes, at + 4))) << 64n) |
  ((BigInt(readUint32(bytes, at + 8)) << 32n) | BigInt(readUint32(bytes, at + 12)))

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, value >>> 16)
  writeUint16(bytes, at + 2, value & 0xffff)
}

export function writeMac(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, Math.floor(value / 0x100000000))
  writeUint32(bytes, at + 2, value % 0x100000000)
}

export const writeUint128 = (bytes: Uint8Array, at: number, value: bigint): void => {
  for (let word = 0; word < 4; word += 1) {
    writeUint32(bytes, at + 4 * word, Number((value >> BigInt(96 - 32 * word)) & 0xffffffffn))
  }
}

const BLOCK_BYTES = 512

/**
 * Returns a tar archive (POSIX ustar) with one file, which belongs to root and which all users can read.
 *
 * @param name at most 99 bytes of ASCII
 */
export function fileArchive(name: string, content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 'latin1')
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(content.length, 11), 124)
  header.write(octal(0, 11), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  // The checksum counts its own field as blanks.
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148)
  const padding = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * BLOCK_BYTES)])
}

import type { ImageContentType } from './image-request.ts'

const startsWith = (bytes: Uint8Array, signature: readonly number[], offset = 0): boolean =>
  signature.every((byte, index) => bytes[offset + index] === byte)

/** Detects the type by the first bytes. Returns `undefined` for other types. */
export function imageContentType(bytes: Uint8Array): ImageContentType | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  const riff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46])
  return riff && startsWith(bytes, [0x57, 0x45, 0x42, 0x50], 8) ? 'image/webp' : undefined
}

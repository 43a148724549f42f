/** The most bytes of one call of `String.fromCharCode`. */
const STEP = 8192

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes a text as base64 of its UTF-8. */
export function toBase64(text: string): string {
  const bytes = encoder.encode(text)
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += STEP) {
    pieces.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + STEP)))
  }
  return btoa(pieces.join(''))
}

/** Decodes base64 as UTF-8. Returns an empty text where it is not base64. */
export function fromBase64(encoded: string): string {
  const binary = binaryOf(encoded)
  if (!/[\x80-\xff]/.test(binary)) return binary
  const bytes = new Uint8Array(binary.length)
  // A function for each byte takes twenty times as long.
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return decoder.decode(bytes)
}

function binaryOf(encoded: string): string {
  try {
    return atob(encoded)
  } catch {
    return ''
  }
}

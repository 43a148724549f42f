const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b]

/** After an escaped quote, so many bytes are read one by one: texts of escapes would cost a search for each. */
const STEPS = 4096

/**
 * Whether a JSON text has more values than `most`, lists, objects and their members each counted once, empty ones
 * twice. It reads no further than that, and needs no valid JSON. Its time is in proportion to the bytes.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  // A value takes a byte, and one that separates it from the next.
  if (bytes.length <= 2 * (most - 1)) return false
  let values = 1
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) index = endOfString(bytes, index)
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1
      if (values > most) return true
    }
  }
  return false
}

/** The index of the closing quote; the length where the text ends before. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length) {
    const quote = bytes.indexOf(QUOTE, index)
    if (quote < 0) return bytes.length
    if (bytes[quote - 1] !== BACKSLASH) return quote
    const stop = quote + STEPS
    // An even number of backslashes before the quote escape one another: read from where the text is known.
    index = firstUnescaped(bytes, quote)
    for (; index < stop && index < bytes.length; index += 1) {
      if (bytes[index] === QUOTE) return index
      if (bytes[index] === BACKSLASH) index += 1
    }
  }
  return bytes.length
}

/** Where reading continues: at the quote if it is not escaped, after it if it is. */
function firstUnescaped(bytes: Uint8Array, quote: number): number {
  let backslashes = 0
  while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 0 ? quote : quote + 1
}

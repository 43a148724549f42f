const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x3a, 0x5c, 0x5b, 0x7b]

/** After an escaped quote, this many bytes are read one by one: a search for each quote would be slower. */
const STEPS = 4096

/** The most bytes of a JSON text outside its strings, such as white space and digits. They are read one by one. */
export const MOST_OUTSIDE = 2 ** 23

/** V8 does not hash longer names, but compares each with all others of its length. */
const LONG_NAME = 16_383

/** The most names of members above 16,383 bytes. */
export const MOST_LONG_NAMES = 64

/** The most members of all objects of a body together. A member takes several times as long to parse as an item of a list. */
export const MOST_MEMBERS = 30_000

/** The most bytes of these names together. They are parsed with the rest of the body. */
const MOST_OF_LONG_NAMES = 2 ** 21

/** What a JSON text has too much of. */
export type Excess = 'values' | 'members' | 'bytes outside of strings' | 'long names'

/**
 * Returns what a JSON text has too much of: values beyond `most`, 30,000 members of objects, 8 MiB outside of its strings, or
 * 64 or 2 MiB of long names. Lists, objects and
 * their members each count once, empty lists and objects twice. Stops reading at the first excess, and accepts invalid
 * JSON. Takes linear time.
 */
export function excessOf(bytes: Uint8Array, most: number): Excess | undefined {
  const steps = excessInSteps(bytes, most)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** The bytes of one step. A longer string takes one step, too. */
const STEP = 2 ** 20

/** Returns what {@link excessOf} returns, in steps that can be divided into turns of the event loop. */
export function* excessInSteps(bytes: Uint8Array, most: number): Generator<undefined, Excess | undefined> {
  // Each value takes at least one byte, and so does the separator before the next.
  if (bytes.length <= 2 * (most - 1) && bytes.length <= MOST_OUTSIDE) return undefined
  let values = 1
  let members = 0
  let outside = 0
  let longNames = 0
  let bytesOfLongNames = 0
  let end = STEP
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    outside += 1
    if (byte === QUOTE) {
      const quote = endOfString(bytes, index)
      if (quote - index > LONG_NAME && isName(bytes, quote)) {
        longNames += 1
        bytesOfLongNames += quote - index
        if (longNames > MOST_LONG_NAMES || bytesOfLongNames > MOST_OF_LONG_NAMES) return 'long names'
      }
      index = quote
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1
      if (values > most) return 'values'
    } else if (byte === COLON) {
      members += 1
      if (members > MOST_MEMBERS) return 'members'
    }
    if (outside > MOST_OUTSIDE) return 'bytes outside of strings'
    if (index < end) continue
    yield
    end = index + STEP
  }
  return undefined
}

/** Whether a colon follows the string that ends at an index. */
export function isName(bytes: Uint8Array, end: number): boolean {
  let index = end + 1
  while ((bytes[index] ?? QUOTE) <= 0x20) index += 1
  return bytes[index] === COLON
}

/** The index of the closing quote; the length of the text if it has none. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length) {
    const quote = bytes.indexOf(QUOTE, index)
    if (quote < 0) return bytes.length
    if (bytes[quote - 1] !== BACKSLASH) return quote
    const stop = quote + STEPS
    // The number of backslashes before the quote decides whether it is escaped.
    index = firstUnescaped(bytes, quote)
    for (; index < stop && index < bytes.length; index += 1) {
      if (bytes[index] === QUOTE) return index
      if (bytes[index] === BACKSLASH) index += 1
    }
  }
  return bytes.length
}

/** The index where reading continues: at an unescaped quote, or after an escaped one. */
function firstUnescaped(bytes: Uint8Array, quote: number): number {
  let backslashes = 0
  while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 0 ? quote : quote + 1
}

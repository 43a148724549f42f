/** The most levels of JSON within texts of JSON that are decoded. */
export const MOST_LEVELS = 4

const [BACKSLASH, QUOTE, SMALL_U, SPACE] = [0x5c, 0x22, 0x75, 0x20]
/** Code units of escapes by that of their letter; 0 for any other letter. */
const short = new Uint16Array(128)
for (const [name, unit] of Object.entries({
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '/': '/',
  '"': '"',
  '\\': '\\',
})) {
  short[name.charCodeAt(0)] = unit.charCodeAt(0)
}
/** The most arguments of a call. */
const UNITS_AT_ONCE = 8_192

/** Returns whether a text may be JSON in which escapes hide another text. */
export const mayHideTexts = (text: string): boolean => text.includes('\\') && /^\s{0,100}["[{]/.test(text)

/**
 * Decodes the escapes of a JSON text, which may be cut or malformed, in linear time. Escaped quotes and backslashes stay
 * escaped, so the value of a JSON text stays the same once `withEscapes` has escaped control characters again.
 */
export const withoutEscapes = (text: string): string => decoded(text, true)

/** Escapes control characters. */
export const withEscapes = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (unit) => JSON.stringify(unit).slice(1, -1))

/** Decodes the escapes of a text once, also those of quotes and backslashes. */
export const decodedOnce = (text: string): string => decoded(text, false)

/** Decodes the escapes of a text, those of JSON in its texts and so on, on at most 4 levels. */
export function withoutAnyEscapes(text: string): string {
  let value = text
  for (let level = 0; level < MOST_LEVELS && value.includes('\\'); level += 1) value = decodedOnce(value)
  return value
}

/** @param staysJson whether quotes and backslashes stay escaped, and only escapes become control characters */
function decoded(text: string, staysJson: boolean): string {
  const units = new Uint16Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let unit = text.charCodeAt(at)
    if (unit === BACKSLASH) {
      const letter = text.charCodeAt(at + 1)
      const found = letter === SMALL_U ? hexAt(text, at + 2) : short[letter] || undefined
      if (found !== undefined) {
        at += letter === SMALL_U ? 5 : 1
        unit = found
        if (staysJson && (unit === QUOTE || unit === BACKSLASH)) {
          units[length] = BACKSLASH
          length += 1
        }
      }
    } else if (staysJson && unit < SPACE) unit = SPACE
    units[length] = unit
    length += 1
  }
  let result = ''
  for (let at = 0; at < length; at += UNITS_AT_ONCE) {
    // Without the iteration of a spread, which takes ten times as long.
    result += Reflect.apply(String.fromCharCode, undefined, units.subarray(at, Math.min(at + UNITS_AT_ONCE, length)))
  }
  return result
}

/** Returns the number of four hexadecimal digits. */
function hexAt(text: string, start: number): number | undefined {
  let value = 0
  for (let at = start; at < start + 4; at += 1) {
    const unit = text.charCodeAt(at) | 0x20
    const digit = unit >= 0x61 ? unit - 0x57 : unit - 0x30
    if (!(digit >= 0 && digit < 16) || (unit >= 0x3a && unit < 0x61) || Number.isNaN(text.charCodeAt(at)))
      return undefined
    value = value * 16 + digit
  }
  return value
}

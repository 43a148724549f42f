/** The most levels of JSON within texts of JSON that are decoded. */
export const MOST_LEVELS = 4

const [BACKSLASH, QUOTE, SMALL_U] = [0x5c, 0x22, 0x75]
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
/** The code units of a piece that is decoded, which are fewer than the most arguments of a call. */
const PIECE = 8_192

/** The matches between two steps of long work. */
const MATCHES = 256

/** Which escapes are decoded: all of them, or all but those of quotes and backslashes, without which JSON is another. */
export type Escapes = 'all' | 'letters'

/** Decodes the escapes of a text once. */
export const decodedOnce = (text: string): string => [...decodedPieces(text, 'all')].join('')

/** Decodes the escapes of a text, which may be JSON or have JSON in it, once and in linear time. Yields short pieces. */
export function* decodedPieces(text: string, escapes: Escapes): Generator<string> {
  const units = new Uint16Array(PIECE + 2)
  let at = 0
  while (at < text.length) {
    const end = Math.min(at + PIECE, text.length)
    const plain = text.slice(at, end)
    if (!plain.includes('\\')) {
      yield plain
      at = end
      continue
    }
    let length = 0
    while (at < end) {
      const escaped = escapeAt(text, at)
      if (escaped !== undefined && escapes === 'letters' && isKept(escaped)) {
        units[length] = BACKSLASH
        length += 1
      }
      units[length] = escaped ?? text.charCodeAt(at)
      length += 1
      at += escaped === undefined ? 1 : escapeSize(text, at)
    }
    // Without the iteration of a spread, which takes ten times as long.
    yield Reflect.apply(String.fromCharCode, undefined, units.subarray(0, length))
  }
}

/**
 * Returns a text with the change of its decoded form. Where both forms are the same before and after the change, the text
 * stays as it is, and control characters that the change keeps stay escaped or not. Yields where another turn may begin.
 */
export function* withChange(text: string, decoded: string, changed: string, escapes: Escapes): Steps<string> {
  const most = Math.min(decoded.length, changed.length)
  let prefix = 0
  while (prefix < most && decoded.charCodeAt(prefix) === changed.charCodeAt(prefix)) {
    prefix += 1
    if (prefix % PIECE === 0) yield
  }
  let suffix = 0
  const last = (of: string) => of.charCodeAt(of.length - 1 - suffix)
  while (suffix < most - prefix && last(decoded) === last(changed)) {
    suffix += 1
    if (suffix % PIECE === 0) yield
  }
  const start = yield* placeAfter(text, { at: 0, length: 0 }, prefix, escapes)
  const end = yield* placeAfter(text, start, decoded.length - suffix, escapes)
  if (end.length < decoded.length - suffix) {
    const { size, length } = stepAt(text, end.at, escapes)
    end.at += size
    end.length += length
  }
  const within = changed.slice(start.length, changed.length - (decoded.length - end.length))
  const controlled = yield* withControls(within, text.slice(start.at, end.at))
  return text.slice(0, start.at) + controlled + text.slice(end.at)
}

/** Long work, which yields where another turn of the event loop may begin. */
export type Steps<Result> = Generator<undefined, Result, undefined>

const CONTROL = /\p{Cc}/gu
/** Control characters, as they are or escaped. */
const CONTROLS = /\\\\|\\[bfnrt]|\\u00(?:[0189][0-9a-fA-F]|7[fF])|\p{Cc}/gu

/** Returns a text with its control characters as another one has them, or all of them escaped. */
function* withControls(text: string, original: string): Steps<string> {
  const forms: string[] = []
  for (const [form] of original.matchAll(CONTROLS)) {
    if (form !== '\\\\') forms.push(form)
    if (forms.length % MATCHES === 0) yield
  }
  const places: number[] = []
  for (const { index } of text.matchAll(CONTROL)) {
    places.push(index)
    if (places.length % MATCHES === 0) yield
  }
  const parts: string[] = []
  let done = 0
  for (const [position, place] of places.entries()) {
    const form = places.length === forms.length ? forms[position] : undefined
    parts.push(text.slice(done, place), form ?? JSON.stringify(text.charAt(place)).slice(1, -1))
    done = place + 1
    if (position % MATCHES === 0) yield
  }
  return parts.join('') + text.slice(done)
}

/** A place in a text, with the length of the decoded form of what is before it. */
interface DecodedPlace {
  at: number
  length: number
}

/** Returns the last place from another one on, whose decoded form has at most a number of code units. */
function* placeAfter(text: string, from: DecodedPlace, most: number, escapes: Escapes): Steps<DecodedPlace> {
  const place = { ...from }
  let steps = 0
  while (place.at < text.length) {
    const { size, length } = stepAt(text, place.at, escapes)
    if (place.length + length > most) break
    place.at += size
    place.length += length
    steps += 1
    if (steps % PIECE === 0) yield
  }
  return place
}

/** Returns the code units of one character or escape, and those of its decoded form. */
function stepAt(text: string, at: number, escapes: Escapes): { readonly size: number; readonly length: number } {
  const escaped = escapeAt(text, at)
  if (escaped === undefined) return single
  return { size: escapeSize(text, at), length: escapes === 'letters' && isKept(escaped) ? 2 : 1 }
}

const single = { size: 1, length: 1 } as const

const isKept = (unit: number): boolean => unit === QUOTE || unit === BACKSLASH

/** Returns the code unit of the escape at a place; `undefined` where another character is. */
function escapeAt(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== BACKSLASH) return undefined
  const letter = text.charCodeAt(at + 1)
  return letter === SMALL_U ? hexAt(text, at + 2) : short[letter] || undefined
}

const escapeSize = (text: string, at: number): number => (text.charCodeAt(at + 1) === SMALL_U ? 6 : 2)

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

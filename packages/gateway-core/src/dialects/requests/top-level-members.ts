/** The position of one member of a JSON object in its bytes. */
export interface Member {
  /** The first byte of the name, a quote. */
  readonly start: number
  /** One past the name's last quote. */
  readonly nameEnd: number
  readonly valueStart: number
  /** One past the value. */
  readonly end: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Finds the members of a JSON object, repeated names included, and the position of its closing brace. The bytes must be
 * an object in valid JSON.
 */
export function topLevelMembers(json: Uint8Array): { readonly members: readonly Member[]; readonly close: number } {
  const members: Member[] = []
  let place = json.indexOf(OPEN_BRACE) + 1
  while (true) {
    place = skipTo(json, place, QUOTE, CLOSE_BRACE)
    if (json[place] !== QUOTE) return { members, close: place }
    const start = place
    const nameEnd = endOfString(json, place)
    const valueStart = skipSpace(json, skipTo(json, nameEnd, COLON, COLON) + 1)
    place = endOfValue(json, valueStart)
    members.push({ start, nameEnd, valueStart, end: place })
  }
}

/** @param name the bytes of the name in JSON, quotes included */
export function hasName(json: Uint8Array, { start, nameEnd }: Member, name: Uint8Array): boolean {
  if (nameEnd - start === name.length) return sameBytes(json, start, name)
  return isEscaped(json, start, nameEnd) && decodedName(json, start, nameEnd) === decodedName(name, 0, name.length)
}

/** Returns the name of a member. */
export const nameOf = (json: Uint8Array, { start, nameEnd }: Member): string =>
  String(decodedName(json, start, nameEnd))

function sameBytes(json: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) if (json[start + index] !== bytes[index]) return false
  return true
}

const isEscaped = (json: Uint8Array, start: number, end: number): boolean =>
  json.subarray(start, end).includes(BACKSLASH)

const decoder = new TextDecoder()

const decodedName = (json: Uint8Array, start: number, end: number): unknown =>
  JSON.parse(decoder.decode(json.subarray(start, end)))

function skipTo(json: Uint8Array, from: number, one: number, other: number): number {
  let place = from
  while (place < json.length && json[place] !== one && json[place] !== other) place += 1
  return place
}

function skipSpace(json: Uint8Array, from: number): number {
  let place = from
  while ((json[place] ?? QUOTE) <= 0x20) place += 1
  return place
}

/** `indexOf` searches longer strings, because it is faster there. */
const SHORT = 24

/** @param start the opening quote */
function endOfString(json: Uint8Array, start: number): number {
  const near = Math.min(start + SHORT, json.length)
  for (let place = start + 1; place < near; place += 1) {
    const byte = json[place]
    if (byte === QUOTE) return place + 1
    if (byte === BACKSLASH) place += 1
  }
  for (let quote = json.indexOf(QUOTE, near - 1); quote > 0; quote = json.indexOf(QUOTE, quote)) {
    let slashes = quote
    while (json[slashes - 1] === BACKSLASH) slashes -= 1
    if (quote > start && (quote - slashes) % 2 === 0) return quote + 1
    const stop = Math.min(quote + STEPS, json.length)
    for (quote += 1; quote < stop && json[quote] !== QUOTE; quote += 1) if (json[quote] === BACKSLASH) quote += 1
    if (json[quote] === QUOTE && quote < stop) return quote + 1
  }
  return json.length
}

/** After an escaped quote, this many bytes are read one by one: a search for each quote would be slower. */
const STEPS = 4096

function endOfValue(json: Uint8Array, start: number): number {
  const first = json[start]
  if (first === QUOTE) return endOfString(json, start)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNesting(json, start)
  let place = start
  while (place < json.length && json[place] !== COMMA && json[place] !== CLOSE_BRACE && (json[place] ?? 0) > 0x20)
    place += 1
  return place
}

function endOfNesting(json: Uint8Array, start: number): number {
  let depth = 0
  for (let place = start; place < json.length; place += 1) {
    const byte = json[place]
    if (byte === QUOTE) place = endOfString(json, place) - 1
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 0) return place + 1
    }
  }
  return json.length
}

import type { Member } from '../dialects/requests/top-level-members.ts'

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Finds the last members of a JSON object whose first bytes may be absent, from its end: those that are whole. What is
 * nested is left out. Returns an empty list where no object is at the end.
 */
export function lastMembers(json: Uint8Array): readonly Member[] {
  const members: Member[] = []
  let end = lastByte(json)
  if (json[end] !== CLOSE_BRACE) return members
  let depth = 1
  let colon = 0
  for (let place = end - 1; place >= 0 && depth > 0; place -= 1) {
    const byte = json[place]
    if (byte === QUOTE) {
      const start = startOfString(json, place)
      if (start === undefined) return members
      if (depth === 1 && colon > place) {
        members.push({ start, nameEnd: place + 1, valueStart: colon + 1, end })
        colon = 0
      }
      place = start
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth += 1
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth -= 1
    else if (depth === 1 && byte === COLON) colon = place
    else if (depth === 1 && byte === COMMA) end = place
  }
  return members
}

function lastByte(json: Uint8Array): number {
  let place = json.length - 1
  while (place > 0 && (json[place] ?? 0) <= 0x20) place -= 1
  return place
}

/** Quotes inside a string have an odd number of backslashes before them. @param end the closing quote */
function startOfString(json: Uint8Array, end: number): number | undefined {
  for (let quote = end - 1; quote > 0; quote -= 1) {
    if (json[quote] !== QUOTE) continue
    let slashes = quote
    while (json[slashes - 1] === BACKSLASH) slashes -= 1
    // What precedes the bytes may be a backslash too.
    if (slashes === 0) return undefined
    if ((quote - slashes) % 2 === 0) return quote
    quote = slashes
  }
  return undefined
}

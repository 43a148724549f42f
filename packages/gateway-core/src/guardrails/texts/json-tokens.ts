const [QUOTE, BACKSLASH, COLON, MINUS, ZERO, NINE, SPACE] = [0x22, 0x5c, 0x3a, 0x2d, 0x30, 0x39, 0x20]

/** A text, a number or the name of a member in a JSON text. */
export interface JsonToken {
  readonly start: number
  readonly end: number
  readonly kind: 'text' | 'name' | 'number'
}

/** Yields the texts, names and numbers of a valid JSON text, in linear time. */
export function* jsonTokens(json: string): Generator<JsonToken> {
  for (let start = 0; start < json.length; start += 1) {
    const unit = json.charCodeAt(start)
    if (unit !== QUOTE && unit !== MINUS && !(unit >= ZERO && unit <= NINE)) continue
    const end = endOfToken(json, start)
    yield { start, end, kind: unit !== QUOTE ? 'number' : isName(json, end) ? 'name' : 'text' }
    start = end - 1
  }
}

/** Returns where the token that begins at a place ends. */
export function endOfToken(json: string, start: number): number {
  const isText = json.charCodeAt(start) === QUOTE
  let end = start + 1
  if (isText) {
    for (; end < json.length && json.charCodeAt(end) !== QUOTE; end += 1) {
      if (json.charCodeAt(end) === BACKSLASH) end += 1
    }
    return end + 1
  }
  while (end < json.length && /[\d.eE+-]/.test(json.charAt(end))) end += 1
  return end
}

function isName(json: string, end: number): boolean {
  let at = end
  while (json.charCodeAt(at) <= SPACE) at += 1
  return json.charCodeAt(at) === COLON
}

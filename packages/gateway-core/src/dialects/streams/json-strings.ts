/** Returns the place of the closing quote of a string in JSON; the end of a text that is cut. @param start after its opening quote */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = quote
    while (slashes > start && text[slashes - 1] === '\\') slashes -= 1
    if ((quote - slashes) % 2 === 0) return quote
  }
  return text.length
}

const [BACKSLASH, UNICODE] = [0x5c, 0x75]

/** Returns the characters of a string in JSON, of which an escaped one is one. @param end its closing quote */
export function stringLength(text: string, start: number, end: number): number {
  const first = text.slice(start, end).indexOf('\\')
  if (first < 0) return end - start
  let length = first
  for (let place = start + first; place < end; place += 1) {
    if (text.charCodeAt(place) === BACKSLASH) place += text.charCodeAt(place + 1) === UNICODE ? 5 : 1
    length += 1
  }
  return length
}

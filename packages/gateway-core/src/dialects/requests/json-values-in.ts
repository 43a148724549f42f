const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b]

/**
 * Counts the values of a JSON text as those of a body: lists, objects and their members each count once, empty lists and
 * objects twice. Stops reading beyond `most`, and accepts invalid JSON. Takes linear time.
 */
export function valuesIn(json: string, most: number): number {
  let values = 1
  for (let place = 0; place < json.length && values <= most; place += 1) {
    const unit = json.charCodeAt(place)
    if (unit === QUOTE) place = endOfString(json, place)
    else if (unit === COMMA || unit === BRACKET || unit === BRACE) values += 1
  }
  return values
}

/** The index of the closing quote; the length of the text if it has none. */
function endOfString(json: string, start: number): number {
  for (let place = start + 1; place < json.length; place += 1) {
    const unit = json.charCodeAt(place)
    if (unit === QUOTE) return place
    if (unit === BACKSLASH) place += 1
  }
  return json.length
}

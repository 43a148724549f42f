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

/** After an escaped quote, this many units are read one by one: a search for each quote would be slower. */
const STEPS = 4096

/** The index of the closing quote; the length of the text if it has none. */
function endOfString(json: string, start: number): number {
  for (let place = start + 1; place < json.length; ) {
    const quote = json.indexOf('"', place)
    if (quote < 0) return json.length
    let slashes = quote
    while (slashes > place && json.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1
    if ((quote - slashes) % 2 === 0) return quote
    const stop = quote + STEPS
    for (place = quote + 1; place < stop && place < json.length; place += 1) {
      const unit = json.charCodeAt(place)
      if (unit === QUOTE) return place
      if (unit === BACKSLASH) place += 1
    }
  }
  return json.length
}

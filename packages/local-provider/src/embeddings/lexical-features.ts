/** Words of up to this many characters are features, so that hostile texts cost no more than others. */
const MAX_WORD = 64

const WORD = /[\p{L}\p{N}]+/gu

/** A feature of a text, and how much it counts. */
type TakeFeature = (feature: string, weight: number) => void

/**
 * Passes on the features of a text: its words, pairs of neighbouring words, and groups of three characters within words.
 * Case and accents of letters do not count. Takes linear time.
 */
export function eachFeature(text: string, take: TakeFeature): void {
  let before = ''
  for (const [found] of text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').matchAll(WORD)) {
    const word = found.slice(0, MAX_WORD)
    take(`w ${word}`, 1)
    if (before !== '') take(`p ${before} ${word}`, 0.5)
    const padded = `_${word}_`
    for (let place = 0; place + 3 <= padded.length; place += 1) take(`g ${padded.slice(place, place + 3)}`, 0.25)
    before = word
  }
}

/** Hashes a feature by FNV-1a to 32 bits. */
export function hashOf(feature: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < feature.length; place += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(place), 0x01000193)
  }
  // Mixes the bits, since the low ones select the dimension and the highest the sign.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

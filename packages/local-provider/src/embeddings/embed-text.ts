import { pause } from '../chat/pause.ts'
import { eachFeature, hashOf } from './lexical-features.ts'

/** The dimensions of an embedding whose request sets none. */
export const DEFAULT_DIMENSIONS = 256

/** The characters that are worked on before other requests get a turn: a few milliseconds. */
const CHARACTERS_PER_TURN = 20_000

/** Creates embeddings of texts, and gives other requests a turn after each few milliseconds of work. */
export class Embedder {
  readonly #dimensions: number
  readonly #signal: AbortSignal
  #work = 0

  /** @param signal ends the work: {@link embed} then rejects with its reason */
  constructor(dimensions: number, signal: AbortSignal) {
    this.#dimensions = dimensions
    this.#signal = signal
  }

  /**
   * Returns the embedding of a text: its features, hashed to dimensions and signs. The length of the vector is 1, or 0
   * for a text without words. Equal texts have equal embeddings. The similarity is that of words, not of meanings.
   */
  async embed(text: string): Promise<Float32Array> {
    const vector = new Float32Array(this.#dimensions)
    for (const part of partsOf(text)) {
      await this.#turn(part.length + this.#dimensions)
      addFeatures(vector, part)
    }
    const length = Math.sqrt(similarity(vector, vector))
    return length === 0 ? vector : vector.map((value) => value / length)
  }

  async #turn(work: number): Promise<void> {
    this.#work += work
    if (this.#work < CHARACTERS_PER_TURN) return
    this.#work = 0
    await pause(0, this.#signal)
  }
}

function addFeatures(vector: Float32Array, text: string): void {
  eachFeature(text, (feature, weight) => {
    const hash = hashOf(feature)
    const place = hash % vector.length
    vector[place] = (vector[place] ?? 0) + (hash >= 0x80000000 ? -weight : weight)
  })
}

/** Returns the cosine of the angle between two embeddings of the same dimensions. */
export const similarity = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)

/** Cuts a text into parts that each take one turn, at a space where there is one. */
function partsOf(text: string): readonly string[] {
  if (text.length <= CHARACTERS_PER_TURN) return [text]
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const limit = start + CHARACTERS_PER_TURN
    const space = limit < text.length ? text.slice(start, limit).lastIndexOf(' ') : -1
    const end = space > 0 ? start + space : limit
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

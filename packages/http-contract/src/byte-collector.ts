/** How many chunks are joined into one: an array of one byte takes a hundred times that byte. */
const CHUNKS_PER_PART = 1024

/** Collects the chunks of a body. Its memory is in proportion to their bytes, also where the chunks are small. */
export class ByteCollector {
  readonly #parts: Uint8Array[] = []
  #chunks: Uint8Array[] = []
  #size = 0

  /** The number of bytes so far. */
  get size(): number {
    return this.#size
  }

  /** Keeps a reference to the chunk, which must not change afterwards. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (chunk.byteLength === 0) return
    if (this.#chunks.push(chunk) < CHUNKS_PER_PART) return
    this.#parts.push(joined(this.#chunks))
    this.#chunks = []
  }

  /** Joins all chunks so far, and keeps them. A single chunk is returned without a copy. */
  bytes(): Uint8Array {
    return joined([...this.#parts, ...this.#chunks])
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

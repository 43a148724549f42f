/** How many chunks wait until they become one: an array of a byte costs a hundred times that byte. */
const CHUNKS_PER_PART = 1024

/** Bytes on their way to be one piece. What it keeps is about as large as what it was given, however small the chunks. */
export class ByteCollector {
  #parts: Uint8Array[] = []
  #chunks: Uint8Array[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Keeps the array: it must not be written to again. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (chunk.byteLength === 0) return
    if (this.#chunks.push(chunk) < CHUNKS_PER_PART) return
    this.#parts.push(joined(this.#chunks))
    this.#chunks = []
  }

  /** Everything since the last time; a single chunk is not copied. */
  take(): Uint8Array {
    const bytes = joined([...this.#parts, ...this.#chunks])
    this.#parts = []
    this.#chunks = []
    this.#size = 0
    return bytes
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

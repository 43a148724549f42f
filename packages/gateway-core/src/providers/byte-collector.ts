/** The number of chunks that are joined into one, because an array of one byte takes about a hundred. */
const CHUNKS_PER_PART = 1024

/** Collects chunks into one array. Its memory is about the size of the bytes, even for many small chunks. */
export class ByteCollector {
  #parts: Uint8Array[] = []
  #chunks: Uint8Array[] = []
  #size = 0

  /** The number of bytes that were added since the last `take`. */
  get size(): number {
    return this.#size
  }

  /** Keeps a reference to the array. The caller must not change it afterwards. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (chunk.byteLength === 0) return
    if (this.#chunks.push(chunk) < CHUNKS_PER_PART) return
    this.#parts.push(joined(this.#chunks))
    this.#chunks = []
  }

  /** Returns and removes all collected bytes. A single chunk is not copied. */
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

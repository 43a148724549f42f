/** A place where the model of the upstream is inserted. */
export const MODEL = Symbol('model')

/** Smaller pieces are joined: an array of one byte takes a hundred times that byte. */
const MAX_JOINED = 16_384

/** The pieces of a form that were not sent yet. Their memory is in proportion to their bytes. */
export class HeldPieces {
  #pieces: (Uint8Array | typeof MODEL)[] = []
  /** The last piece, if it has room for more. */
  #open: { readonly buffer: Uint8Array; length: number } | undefined
  #bytes = 0
  #hasModel = false

  get bytes(): number {
    return this.#bytes
  }

  get hasModel(): boolean {
    return this.#hasModel
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#bytes += bytes.length
    if (bytes.length >= MAX_JOINED || !this.#join(bytes)) this.#pieces.push(bytes)
    if (bytes.length >= MAX_JOINED) this.#open = undefined
  }

  addModel(): void {
    this.#hasModel = true
    this.#open = undefined
    this.#pieces.push(MODEL)
  }

  /** Returns the pieces with a text in the place of the model. */
  *encode(model: Uint8Array): Generator<Uint8Array, void> {
    for (const piece of this.#pieces) yield piece === MODEL ? model : piece
  }

  /** Forgets the pieces, which were sent. */
  release(): void {
    this.#pieces = []
    this.#open = undefined
    this.#bytes = 0
  }

  /** Appends to the last piece, which grows by doubling. @returns whether there is one */
  #join(bytes: Uint8Array): boolean {
    const last = this.#pieces.at(-1)
    if (last === undefined || last === MODEL || last.length + bytes.length > MAX_JOINED) {
      this.#open = undefined
      return false
    }
    const length = last.length + bytes.length
    let open = this.#open
    if (!open || open.buffer.length < length) {
      open = { buffer: new Uint8Array(Math.min(MAX_JOINED, 2 * length)), length: last.length }
      open.buffer.set(last)
    }
    open.buffer.set(bytes, open.length)
    open.length = length
    this.#open = open
    this.#pieces[this.#pieces.length - 1] = open.buffer.subarray(0, length)
    return true
  }
}

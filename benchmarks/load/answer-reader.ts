/** Puts together the answer of one request over a connection, which is sent in chunks or with its length. */
export class AnswerReader {
  readonly #sign: string
  #pieces: Buffer[] = []
  #received = 0
  #length: number | undefined
  /** The last bytes that have arrived, because the last chunk may arrive in two pieces. */
  #tail: Buffer = Buffer.alloc(0)

  /** @param sign what each complete answer contains */
  constructor(sign: string) {
    this.#sign = sign
  }

  /**
   * Adds what has arrived.
   *
   * @returns whether the answer is complete. The next piece then belongs to the next answer
   * @throws Error where a complete answer has another status than 200, or lacks the sign
   */
  add(piece: Buffer): boolean {
    this.#pieces.push(piece)
    this.#received += piece.length
    this.#length ??= lengthOf(this.#pieces)
    const recent = piece.length < lastChunk.length ? Buffer.concat([this.#tail, piece]) : piece
    this.#tail = recent.subarray(-lastChunk.length)
    const ended = this.#length === undefined ? this.#tail.equals(lastChunk) : this.#received >= this.#length
    if (!ended) return false
    const text = Buffer.concat(this.#pieces).toString('latin1')
    this.#pieces = []
    this.#received = 0
    this.#length = undefined
    if (!text.startsWith('HTTP/1.1 200') || !text.includes(this.#sign))
      throw new Error(`The answer is not complete: ${text}`)
    return true
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** Returns the length of the whole answer; `undefined` while its head is incomplete, and where it is sent in chunks. */
function lengthOf([first]: readonly Buffer[]): number | undefined {
  const end = first?.indexOf(headEnd) ?? -1
  if (first === undefined || end < 0) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(first.toString('latin1', 0, end))?.[1]
  return length === undefined ? undefined : end + headEnd.length + Number(length)
}

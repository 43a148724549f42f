import { MalformedForm } from './malformed-form.ts'
import { type PartHead, partHead } from './part-head.ts'

/** A piece of a form. The bytes of all pieces together are those of the form, without what follows its last boundary. */
export type FormPiece = { readonly bytes: Uint8Array } & (
  | { readonly type: 'head'; readonly head: PartHead }
  | { readonly type: 'content' }
  | { readonly type: 'end' }
)

/** The most parts of a form. */
const MAX_PARTS = 100
/** The most bytes of the headers of one part. */
const MAX_HEAD_BYTES = 16_384

const CARRIAGE_RETURN = 13
const LINE_FEED = 10
const DASH = 45

const encoder = new TextEncoder()

/**
 * Splits a form into its pieces as its bytes arrive. It holds back at most the headers of one part, and is stricter than
 * others: what two parsers could read differently is refused. Takes time in proportion to the bytes, also where they
 * arrive one by one.
 */
export class MultipartParser {
  /** A line break, two dashes and the boundary. Only its first byte is a carriage return. */
  readonly #delimiter: Uint8Array
  #state: 'content' | 'head' | 'ended' = 'content'
  /** The bytes of the delimiter that have matched so far, and how many of them earlier chunks had. */
  #matched = 2
  #carried = 2
  /** The first delimiter follows no line break. */
  #atStart = true
  #parts = 0
  /** What follows the delimiter: a line break, the headers and a blank line. */
  #head: number[] = []

  constructor(boundary: string) {
    this.#delimiter = encoder.encode(`\r\n--${boundary}`)
  }

  /** @throws MalformedForm */
  push(chunk: Uint8Array): readonly FormPiece[] {
    const pieces: FormPiece[] = []
    let index = 0
    while (index < chunk.length && this.#state !== 'ended') {
      index = this.#state === 'content' ? this.#readContent(chunk, index, pieces) : this.#readHead(chunk, index, pieces)
    }
    return pieces
  }

  /** @throws MalformedForm where the form has not ended */
  end(): void {
    if (this.#state !== 'ended') throw new MalformedForm('The form ends before its last boundary.')
  }

  #readContent(chunk: Uint8Array, start: number, pieces: FormPiece[]): number {
    let index = start
    while (index < chunk.length) {
      if (this.#matched === 0) {
        index = chunk.indexOf(CARRIAGE_RETURN, index)
        if (index < 0) index = chunk.length
      }
      index = this.#match(chunk, index)
      if (this.#matched === this.#delimiter.length) {
        this.#addContent(chunk, start, index, pieces)
        this.#state = 'head'
        return index
      }
      if (index < chunk.length) this.#mismatch(pieces)
    }
    this.#addContent(chunk, start, index, pieces)
    this.#carried = this.#matched
    return index
  }

  /** Compares with the delimiter up to its end, the end of the chunk or a difference. */
  #match(chunk: Uint8Array, start: number): number {
    let index = start
    while (index < chunk.length && this.#matched < this.#delimiter.length) {
      if (chunk[index] !== this.#delimiter[this.#matched]) break
      this.#matched += 1
      index += 1
    }
    return index
  }

  /** What matched is content. The byte that did not can be the start of a delimiter. */
  #mismatch(pieces: FormPiece[]): void {
    if (this.#atStart) throw new MalformedForm('The form does not begin with its boundary.')
    if (this.#carried > 0) pieces.push({ type: 'content', bytes: this.#delimiter.slice(0, this.#carried) })
    this.#matched = 0
    this.#carried = 0
  }

  /** Adds what precedes the bytes of this chunk that match the delimiter. */
  #addContent(chunk: Uint8Array, start: number, index: number, pieces: FormPiece[]): void {
    const end = index - (this.#matched - this.#carried)
    if (end > start) pieces.push({ type: 'content', bytes: chunk.subarray(start, end) })
  }

  #readHead(chunk: Uint8Array, start: number, pieces: FormPiece[]): number {
    const head = this.#head
    for (let index = start; index < chunk.length; index += 1) {
      head.push(chunk[index] ?? 0)
      if (head.length === 2) {
        if (head[0] === DASH && head[1] === DASH) {
          this.#finish(pieces)
          return index + 1
        }
        if (head[0] !== CARRIAGE_RETURN || head[1] !== LINE_FEED)
          throw new MalformedForm('A boundary of the form is followed by other characters.')
      }
      if (endsWithBlankLine(head)) {
        this.#beginPart(pieces)
        return index + 1
      }
      if (head.length > MAX_HEAD_BYTES)
        throw new MalformedForm(`A part of the form has more than ${MAX_HEAD_BYTES} bytes of headers.`, {
          code: 'form_too_large',
        })
    }
    return chunk.length
  }

  #beginPart(pieces: FormPiece[]): void {
    this.#parts += 1
    if (this.#parts > MAX_PARTS)
      throw new MalformedForm(`The form has more than ${MAX_PARTS} parts.`, { code: 'form_too_large' })
    const bytes = this.#withDelimiter(this.#head)
    pieces.push({ type: 'head', bytes, head: partHead(Uint8Array.from(this.#head.slice(2, -4))) })
    this.#head = []
    this.#matched = 0
    this.#carried = 0
    this.#atStart = false
    this.#state = 'content'
  }

  #finish(pieces: FormPiece[]): void {
    pieces.push({ type: 'end', bytes: this.#withDelimiter([DASH, DASH, CARRIAGE_RETURN, LINE_FEED]) })
    this.#state = 'ended'
  }

  #withDelimiter(bytes: readonly number[]): Uint8Array {
    const delimiter = this.#atStart ? this.#delimiter.subarray(2) : this.#delimiter
    const whole = new Uint8Array(delimiter.length + bytes.length)
    whole.set(delimiter)
    whole.set(bytes, delimiter.length)
    return whole
  }
}

const endsWithBlankLine = (bytes: readonly number[]): boolean =>
  bytes.length >= 4 &&
  bytes.at(-1) === LINE_FEED &&
  bytes.at(-2) === CARRIAGE_RETURN &&
  bytes.at(-3) === LINE_FEED &&
  bytes.at(-4) === CARRIAGE_RETURN

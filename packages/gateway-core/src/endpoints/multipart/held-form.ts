import { ByteCollector } from '../../providers/byte-collector.ts'
import { HeldPieces } from './held-pieces.ts'
import { MalformedForm } from './malformed-form.ts'
import type { FormPiece } from './multipart-parser.ts'

/** The most bytes of all fields that are not files. */
const MAX_FIELD_BYTES = 2 ** 20
/** The most characters of the id of a model. */
const MAX_MODEL = 512

/** Fields that the gateway reads. Upstreams choose in different ways among several of one name. */
const single: ReadonlySet<string> = new Set(['model', 'stream', 'n'])

const LINE_BREAK = '\r\n'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The part of a form that was not sent yet, in which one field has the model of the upstream. */
export class HeldForm {
  /** The fields so far, without files. */
  readonly fields = new Map<string, string>()
  /** The form has ended. */
  isEnded = false
  readonly #boundary: string
  readonly #named: string | undefined
  readonly #pieces = new HeldPieces()
  /** The field that is being read, and its bytes. */
  #field: string | undefined
  readonly #value = new ByteCollector()
  #fieldBytes = 0
  #isFile = false
  /** Whether the form has its first bytes, which follow no line break. */
  #isBegun = false

  /** @param named the model that the request names outside the form, which precedes that of the form */
  constructor(boundary: string, named: string | undefined) {
    this.#boundary = boundary
    this.#named = named
    if (named !== undefined) this.#addModel('')
  }

  get bytes(): number {
    return this.#pieces.bytes
  }

  get model(): string | undefined {
    return this.#named ?? this.fields.get('model')
  }

  /** Whether the model is known, and a file or nothing follows. */
  get isOpen(): boolean {
    return this.isEnded || (this.#isFile && this.model !== undefined)
  }

  /** @throws MalformedForm for fields beyond their bounds */
  add(piece: FormPiece): void {
    switch (piece.type) {
      case 'head':
        this.#endField()
        this.#beginPart(piece)
        break
      case 'content':
        if (this.#field !== undefined) this.#addValue(piece.bytes)
        if (this.#field !== 'model') this.#pieces.add(piece.bytes)
        break
      case 'end':
        this.#endField()
        this.#addBytes(piece.bytes)
        this.isEnded = true
        break
    }
  }

  /** The bytes with a model in place of the client's. A form without one gets it as its first field. */
  *encode(model: string | undefined): Generator<Uint8Array, void> {
    const text = encoder.encode(model ?? '')
    if (model !== undefined && !this.#pieces.hasModel) {
      yield this.#modelHead('')
      yield text
      yield encoder.encode(LINE_BREAK)
    }
    yield* this.#pieces.encode(text)
  }

  /** Forgets what was sent. */
  release(): void {
    this.#pieces.release()
  }

  #beginPart({ bytes, head }: Extract<FormPiece, { readonly type: 'head' }>): void {
    const { name, isFile } = head
    if (single.has(name)) this.#checkSingle(name, isFile)
    this.#isFile = isFile
    this.#field = isFile ? undefined : name
    if (this.#field !== 'model') this.#addBytes(bytes)
    else if (!this.#pieces.hasModel) this.#addModel(this.#isBegun ? LINE_BREAK : '')
  }

  #checkSingle(name: string, isFile: boolean): void {
    if (isFile) throw new MalformedForm(`The field '${name}' is a file.`, invalid(name))
    if (this.fields.has(name)) throw new MalformedForm(`The form has the field '${name}' twice.`, invalid(name))
  }

  /** Writes a head of its own, because that of the client can announce the length of its value. */
  #addModel(before: string): void {
    this.#isBegun = true
    this.#pieces.add(this.#modelHead(before))
    this.#pieces.addModel()
  }

  #modelHead(before: string): Uint8Array {
    const name = 'Content-Disposition: form-data; name="model"'
    return encoder.encode([`${before}--${this.#boundary}`, name, '', ''].join(LINE_BREAK))
  }

  /** Adds a head or the end of the client's form, of which the first has no line break. */
  #addBytes(bytes: Uint8Array): void {
    const needsBreak = this.#isBegun && bytes[0] !== LINE_BREAK.charCodeAt(0)
    if (needsBreak) this.#pieces.add(encoder.encode(LINE_BREAK))
    const isAtStart = !this.#isBegun
    this.#isBegun = true
    this.#pieces.add(isAtStart && !needsBreak ? withoutBreak(bytes) : bytes)
  }

  #addValue(bytes: Uint8Array): void {
    this.#fieldBytes += bytes.length
    if (this.#fieldBytes > MAX_FIELD_BYTES)
      throw new MalformedForm(`The fields of the form have more than ${MAX_FIELD_BYTES} bytes.`, {
        code: 'form_too_large',
      })
    this.#value.add(bytes)
  }

  #endField(): void {
    const name = this.#field
    this.#field = undefined
    if (name === undefined) return
    const value = textOf(this.#value.take(), name)
    if (name === 'model' && (value === '' || value.length > MAX_MODEL))
      throw new MalformedForm(`The field 'model' must have from 1 to ${MAX_MODEL} characters.`, invalid('model'))
    if (!this.fields.has(name)) this.fields.set(name, value)
  }
}

const invalid = (param: string) => ({ code: 'invalid_value', param }) as const

/** A form must not begin with a line break. */
const withoutBreak = (bytes: Uint8Array): Uint8Array => (bytes[0] === 13 ? bytes.subarray(2) : bytes)

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedForm(`The field '${name}' is not UTF-8.`, invalid(name))
  }
}

import type { EndpointBody } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import { boundaryOf } from './boundary.ts'
import { HeldForm } from './held-form.ts'
import { MalformedForm } from './malformed-form.ts'
import { MultipartParser } from './multipart-parser.ts'

/** A form whose model is known. The rest of it may still be arriving. */
export interface UploadForm {
  /** As the client named it; `undefined` where the whole form names none. */
  readonly model: string | undefined
  /** The fields that have arrived, without files, by name. Of several with one name the first. */
  readonly fields: ReadonlyMap<string, string>
  /** Whether the whole form has arrived. */
  readonly isWhole: boolean
  /** Bytes that are in memory, for tests and for counters. */
  readonly heldBytes: number
  /** Returns the form with the upstream's own model. Bytes that arrive later are passed on as the upstream reads them. */
  body(model: string | undefined): EndpointBody
  /** Whether {@link body} can be sent again: no byte that was not held has been passed on. */
  isRepeatable(): boolean
  /** What the client did wrong, or its disconnection, while the rest of the form was read. */
  readonly failure: unknown
}

/** Options of {@link openUploadForm}. */
export interface UploadFormOptions {
  readonly contentType: string
  /** The model that the request names outside the form, which precedes that of the form. @default that of the form */
  readonly model?: string | undefined
  /** The most bytes that are held until the model is known. */
  readonly maxHeldBytes: number
}

/**
 * Reads a form until its model is known, and then up to its next file. What precedes is held, so a client that sends the
 * model first is limited only by the operation.
 *
 * @throws MalformedForm, and what the chunks throw
 */
export async function openUploadForm(
  chunks: AsyncIterable<Uint8Array>,
  { contentType, model: named, maxHeldBytes }: UploadFormOptions,
): Promise<UploadForm> {
  const boundary = boundaryOf(contentType)
  const parser = new MultipartParser(boundary)
  const source = chunks[Symbol.asyncIterator]()
  const held = new HeldForm(boundary, named)
  while (!held.isOpen) {
    const { done, value } = await source.next()
    if (done) {
      parser.end()
      break
    }
    for (const piece of parser.push(value)) held.add(piece)
    if (!held.isOpen && held.bytes > maxHeldBytes) throw modelTooLate(maxHeldBytes)
  }
  const rest = new FormRest(source, parser, held)
  return {
    model: held.model,
    fields: held.fields,
    isWhole: held.isEnded,
    get heldBytes() {
      return held.bytes
    },
    body: (model) => ({ contentType, content: rest.body(model) }),
    isRepeatable: () => !rest.isRead,
    get failure() {
      return rest.failure
    },
  }
}

const modelTooLate = (limit: number) =>
  new MalformedForm(
    `The first ${limit} bytes of the form do not have the field 'model'. Send it before the files, or as '?model='.`,
    'model',
  )

/** The part of a form that arrives while it is sent. */
class FormRest {
  failure: unknown
  isRead = false
  readonly #source: AsyncIterator<Uint8Array>
  readonly #parser: MultipartParser
  readonly #held: HeldForm

  constructor(source: AsyncIterator<Uint8Array>, parser: MultipartParser, held: HeldForm) {
    this.#source = source
    this.#parser = parser
    this.#held = held
  }

  async *body(model: string | undefined): AsyncGenerator<Uint8Array, void> {
    const held = this.#held
    yield* held.encode(model)
    if (held.isEnded && !this.isRead) return
    if (this.isRead) throw new TypeError('The form was already sent')
    this.isRead = true
    held.release()
    try {
      yield* this.#rest(model)
    } catch (error) {
      this.failure = error
      throw new ProviderFailure(asRefusal(error), { cause: error })
    } finally {
      // What the upstream does not read is discarded.
      this.#source.return?.().catch(() => undefined)
    }
  }

  async *#rest(model: string | undefined): AsyncGenerator<Uint8Array, void> {
    const held = this.#held
    while (true) {
      const { done, value } = await this.#source.next()
      if (done) break
      for (const piece of this.#parser.push(value)) {
        held.add(piece)
        yield* held.encode(model)
        held.release()
      }
    }
    this.#parser.end()
  }
}

/** A fault of the client, for which no other upstream is tried. */
const asRefusal = (error: unknown) =>
  error instanceof MalformedForm
    ? ({ type: 'refused', status: 400, message: error.message, ...paramOf(error) } as const)
    : ({ type: 'cancelled', message: 'The upload ended before it was complete.' } as const)

const paramOf = ({ param }: MalformedForm) => (param === undefined ? {} : { param })

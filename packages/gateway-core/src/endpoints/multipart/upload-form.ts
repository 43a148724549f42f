import type { EndpointBody } from '../../providers/provider.ts'
import { boundaryOf, formType } from './boundary.ts'
import { HeldForm } from './held-form.ts'
import { MalformedForm } from './malformed-form.ts'
import { MultipartParser } from './multipart-parser.ts'
import { UploadSource } from './upload-source.ts'

/** A body of a client that is sent while it arrives. */
export interface PassedUpload {
  /** Returns the body. Called for each attempt. */
  body(model: string | undefined): EndpointBody
  /** Whether {@link body} can be sent again: no byte that was not held has been passed on. */
  isRepeatable(): boolean
  /** What the client did wrong, or its disconnection, while an upstream read. */
  readonly failure: unknown
}

/**
 * Passes a form on as it was received, with a content type of the gateway's own.
 *
 * @throws MalformedForm for a content type that other parsers could read differently
 */
export function passUpload(chunks: AsyncIterable<Uint8Array>, contentType: string): PassedUpload {
  const type = formType(boundaryOf(contentType))
  const source = new UploadSource(chunks)
  return {
    body: () => ({ contentType: type, content: source.rest() }),
    isRepeatable: () => !source.isRead,
    get failure() {
      return source.failure
    },
  }
}

/**
 * A form whose model is known. The rest of it may still be arriving. Its body has the upstream's own model, and bytes that
 * arrive later are passed on as the upstream reads them.
 */
export interface UploadForm extends PassedUpload {
  /** As the client named it; `undefined` where the whole form names none. */
  readonly model: string | undefined
  /** The fields that have arrived, without files, by name. Of several with one name the first. */
  readonly fields: ReadonlyMap<string, string>
  /** Bytes that are in memory, for tests and for counters. */
  readonly heldBytes: number
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
  const source = new UploadSource(chunks)
  const held = new HeldForm(boundary, named)
  while (!held.isOpen) {
    const chunk = await source.next()
    if (chunk === undefined) {
      parser.end()
      break
    }
    for (const piece of parser.push(chunk)) held.add(piece)
    if (!held.isOpen && held.bytes > maxHeldBytes) throw modelTooLate(maxHeldBytes)
  }
  return {
    model: held.model,
    fields: held.fields,
    get heldBytes() {
      return held.bytes
    },
    body: (model) => ({ contentType: formType(boundary), content: formWith(model, source, parser, held) }),
    isRepeatable: () => !source.isRead,
    get failure() {
      return source.failure
    },
  }
}

/** The error of a form whose first bytes do not have its model. */
export const modelTooLate = (limit: number): MalformedForm =>
  new MalformedForm(
    `The first ${limit} bytes of the form do not have the field 'model'. Send it before the files, or as '?model='.`,
    { code: 'missing_required_parameter', param: 'model' },
  )

/** Sends what is held, and then what arrives, with the model of the upstream. */
async function* formWith(
  model: string | undefined,
  source: UploadSource,
  parser: MultipartParser,
  held: HeldForm,
): AsyncGenerator<Uint8Array, void> {
  yield* held.encode(model)
  if (held.isEnded && !source.isRead) return
  held.release()
  yield* source.rest(
    function* (chunk) {
      for (const piece of parser.push(chunk)) {
        held.add(piece)
        yield* held.encode(model)
        held.release()
      }
    },
    () => parser.end(),
  )
}

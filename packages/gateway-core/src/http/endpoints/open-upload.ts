import {
  BodyTooLarge,
  ByteCollector,
  MalformedBody,
  parseInTurns,
  parseTurn,
  type Upload,
} from '@trivium/http-contract'
import { isObject } from '../../chat/is-object.ts'
import type { EndpointRequest } from '../../endpoints/endpoint-calls.ts'
import { jsonBody } from '../../endpoints/json-body.ts'
import { isMultipart } from '../../endpoints/multipart/boundary.ts'
import { MalformedForm } from '../../endpoints/multipart/malformed-form.ts'
import { openUploadForm } from '../../endpoints/multipart/upload-form.ts'
import { imageFormOf } from '../../images/image-form.ts'
import { bodyFailure } from '../errors/body-failure.ts'
import { type Failure, failure } from '../errors/failure.ts'

/** The most bytes of an upload in memory: of what precedes the model of a form, and of a JSON body. */
export const MAX_HELD_BYTES = 25 * 2 ** 20

/** What a request to an upstream has of an upload. */
export interface OpenedUpload
  extends Pick<
    EndpointRequest,
    'model' | 'body' | 'value' | 'isRepeatable' | 'streamed' | 'images' | 'imageForm' | 'isUpload'
  > {
  /** What the client did wrong while an upstream read. */
  readonly failure: unknown
}

/**
 * Reads a form until its model is known, or JSON as a whole where the operation takes it.
 *
 * @throws MalformedForm, and what the chunks throw
 */
export function openUpload(upload: Upload, model: string | undefined, takesJson: boolean): Promise<OpenedUpload> {
  const { contentType, chunks } = upload
  if (isMultipart(contentType)) return openForm(chunks, contentType, model)
  if (takesJson && isJson(contentType)) return openJson(chunks, model)
  throw formAbsent(takesJson)
}

/** The error of a request that is not a form. @param takesJson whether it may be JSON too */
export const formAbsent = (takesJson: boolean): MalformedForm =>
  new MalformedForm(
    `The request needs a form with the content type 'multipart/form-data'${takesJson ? ", or JSON with 'application/json'" : ''}.`,
    { code: 'unsupported_content_type' },
  )

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^\s*application\/json\s*(?:;|$)/i.test(contentType)

async function openForm(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
  model: string | undefined,
): Promise<OpenedUpload> {
  const form = await openUploadForm(chunks, { contentType, model, maxHeldBytes: MAX_HELD_BYTES })
  return {
    model: form.model,
    body: (own) => form.body(own),
    isRepeatable: () => form.isRepeatable(),
    // Upstreams read 'stream' in their own ways, and it may follow the file, so the content type of the answer decides.
    streamed: true,
    images: countOf(form.fields.get('n') ?? '1'),
    imageForm: imageFormOf(Object.fromEntries(form.fields)),
    isUpload: true,
    get failure() {
      return form.failure
    },
  }
}

async function openJson(chunks: AsyncIterable<Uint8Array>, named: string | undefined): Promise<OpenedUpload> {
  const raw = await collected(chunks)
  const endTurn = await parseTurn(raw.length)
  try {
    const value = await parseInTurns({ kind: 'bytes', bytes: raw })
    if (!isObject(value))
      throw new MalformedForm('The request needs a form or a JSON object.', { code: 'invalid_value' })
    const model = named ?? value.model ?? undefined
    if (model !== undefined && (typeof model !== 'string' || model === '' || model.length > 512))
      throw new MalformedForm("The field 'model' must have from 1 to 512 characters.", {
        code: 'invalid_value',
        param: 'model',
      })
    return {
      model,
      body: jsonBody({ value, raw }),
      value,
      streamed: true,
      images: countOf(String(value.n ?? 1)),
      imageForm: imageFormOf(value),
      failure: undefined,
    }
  } finally {
    endTurn?.()
  }
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collector = new ByteCollector()
  for await (const chunk of chunks) {
    collector.add(chunk)
    if (collector.size > MAX_HELD_BYTES) throw new BodyTooLarge(MAX_HELD_BYTES)
  }
  return collector.bytes()
}

const countOf = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 1)

/** The response to an upload that cannot be read, in words for the client; `undefined` for other errors. */
export function uploadRefusal(error: unknown): Failure | undefined {
  if (error instanceof MalformedForm) return formFailure(error)
  return error instanceof MalformedBody ? bodyFailure(error) : undefined
}

export const formFailure = ({ message, code, param }: MalformedForm): Failure =>
  failure(400, message, { code, param: param ?? null })

import { type BodyAdvice, BodyUnavailable, type RequestBody } from './request-body.ts'
import { inOneChunk } from './upload.ts'

/**
 * Returns a body that the host has read before the mount: texts and bytes as they were sent, anything else as a parsed
 * value.
 *
 * @param contentType the `content-type` of the request
 * @throws BodyUnavailable if a form parser has read JSON, from which the JSON cannot be restored
 */
export function givenBody(value: unknown, contentType: string | undefined): RequestBody {
  if (typeof value === 'string') return { kind: 'bytes', bytes: encoder.encode(value) }
  if (value instanceof Uint8Array) return { kind: 'bytes', bytes: value }
  if (value instanceof ArrayBuffer) return { kind: 'bytes', bytes: new Uint8Array(value) }
  if (contentType !== undefined && FORM_TYPE.test(contentType) && hasJsonName(value))
    throw new BodyUnavailable(formAdvice)
  return { kind: 'parsed', value }
}

/**
 * Returns a body that the host has read before the mount as chunks.
 *
 * @throws BodyUnavailable if a parser of the host has read it, such as one of forms
 */
export function givenChunks(value: unknown, advice: BodyAdvice): AsyncIterable<Uint8Array> {
  const given = givenBody(value, undefined)
  if (given.kind === 'bytes') return inOneChunk(given.bytes)
  throw new BodyUnavailable(advice)
}

const encoder = new TextEncoder()

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i

/** Whether the first field of a form has the start of a JSON object as its name. */
function hasJsonName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [name = ''] = Object.keys(value)
  return /^\s*\{/.test(name)
}

const formAdvice = {
  client: 'it was sent as "application/x-www-form-urlencoded". Send the header "content-type: application/json"',
  host: 'A form parser of the host has read a JSON body, because its content type is "application/x-www-form-urlencoded". Mount the routes before the parser, so that they accept JSON with any content type.',
}

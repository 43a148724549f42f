import { type Contract, exactJson, type Operation, parseExactJson, type ResponseBody } from '@trivium/http-contract'
import type { GenericSchema } from 'valibot'
import { UnexpectedReplyError } from './reply-errors.ts'
import { readEvents, readLines } from './reply-streams.ts'
import type { AnyReply, ReplyTo } from './reply-types.ts'
import type { RequestOptions, RequestTo, UploadBody } from './request-types.ts'
import { requestUrl, type UrlParts } from './request-url.ts'

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The prefix of every path. In a page it can be a path without an origin. @default '' */
  readonly baseUrl?: string
  /** Headers of every request. A function is called for each request. @default none */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** Sends the requests. @default the platform's */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
}

/**
 * One method for each operation. It resolves with one of the declared replies, distinguished by `status` or `ok`. It
 * rejects with `UnexpectedReplyError` for another status or a body that is not JSON, with `TypeError` if a parameter of
 * the path is missing, empty, `.` or `..`, and with the error of `fetch` if that fails.
 */
export type Client<C extends Contract> = {
  readonly [Id in keyof C]: (
    ...request: Record<never, never> extends RequestTo<C[Id]>
      ? [request?: RequestTo<C[Id]>]
      : [request: RequestTo<C[Id]>]
  ) => Promise<ReplyTo<C[Id]>>
}

/**
 * Creates a client with one method for each operation of a contract, typed by its schemas. Neither requests nor replies
 * are checked against them when it runs. Integers beyond 2^53 - 1 of a JSON reply are bigints, and bigints of a body are
 * sent as numbers with all of their digits. Nothing is retried.
 *
 * @example
 * ```ts
 * import { createClient, expectOk } from '@trivium/http-client'
 * import { storageContract } from '@trivium/storage-core/http'
 *
 * const storage = createClient(storageContract, {
 *   baseUrl: 'http://127.0.0.1:8787',
 *   headers: { authorization: `Basic ${btoa('admin:secret')}` },
 * })
 * const { records = [] } = await expectOk(storage.listVolumes({ query: { max_records: 10 } }))
 * console.log(records.map(({ name }) => name))
 * ```
 */
export function createClient<const C extends Contract>(contract: C, options: ClientOptions = {}): Client<C> {
  const methods = Object.entries(contract).map(([id, operation]) => [id, callerOf(operation, options)])
  // The keys are those of the contract, which the compiler cannot derive.
  return Object.fromEntries(methods) as Client<C>
}

interface AnyRequest extends RequestOptions, UrlParts {
  readonly body?: unknown
  readonly upload?: UploadBody
}

function callerOf({ method, path, responses, uploadType }: Operation, { baseUrl = '', headers, fetch }: ClientOptions) {
  const send = fetch ?? ((url: string, request: RequestInit) => globalThis.fetch(url, request))
  const accept = acceptedTypes(responses)
  return async (request: AnyRequest = {}): Promise<AnyReply> => {
    const { body, upload, signal } = request
    const response = await send(requestUrl(baseUrl, path, request), {
      method,
      headers: {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(upload !== undefined && uploadType !== undefined && { 'content-type': uploadType }),
        ...(typeof headers === 'function' ? headers() : headers),
        ...request.headers,
      },
      ...(body !== undefined && { body: exactJson(body) }),
      ...(upload !== undefined && { body: upload }),
      // A stream has no length, and is sent before the answer begins.
      ...(upload instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    })
    const { status } = response
    const declared = responses[status]
    if (!declared) throw new UnexpectedReplyError(`${method} ${path}`, status, await response.text())
    return {
      status,
      ok: response.ok,
      headers: response.headers,
      ...(await readReplyBody(declared, response, method, path)),
    }
  }
}

async function readReplyBody(
  declared: ResponseBody,
  response: Response,
  method: string,
  path: string,
): Promise<ReadBody> {
  switch (declared.kind) {
    case 'no-body':
      await response.body?.cancel()
      return { kind: 'empty', body: undefined }
    case 'event-stream':
      return { kind: 'events', body: readEvents(response, declared) }
    case 'json-lines':
      return { kind: 'lines', body: readLines(response) }
    case 'bytes':
      return { kind: 'bytes', body: response }
    case 'json-or':
      if (!isJson(response)) return readReplyBody(declared.other, response, method, path)
  }
  const text = await response.text()
  try {
    return { kind: 'json', body: parseExactJson(text) }
  } catch (cause) {
    throw new UnexpectedReplyError(`${method} ${path}`, response.status, text, cause)
  }
}

interface ReadBody {
  readonly kind: 'json' | 'events' | 'lines' | 'bytes' | 'empty'
  readonly body: unknown
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') ?? true

/** The content types of the successful replies of an operation, and JSON for its failures. */
function acceptedTypes(responses: Operation['responses']): string {
  const types = new Set<string>()
  for (const [status, body] of Object.entries(responses)) {
    if (status.startsWith('2')) for (const type of typesOf(body)) types.add(type)
  }
  return [...types, 'application/json'].join(', ')
}

function typesOf(body: ResponseBody): readonly string[] {
  if (isSchema(body)) return []
  switch (body.kind) {
    case 'event-stream':
      return ['text/event-stream']
    case 'json-or':
      return typesOf(body.other)
    case 'json-lines':
      return ['application/x-ndjson']
    case 'bytes':
      return [body.contentType]
    case 'no-body':
      return []
  }
}

const isSchema = (body: ResponseBody): body is GenericSchema => body.kind === 'schema'

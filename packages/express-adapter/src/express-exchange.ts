import {
  consumedBody,
  type Exchange,
  forwardedPath,
  givenBody,
  givenChunks,
  type Mount,
  mountOf,
  type PathTemplate,
  type RequestBody,
  type RequestHeaders,
} from '@trivium/http-contract'
import { closeSignal, headersOf, mountPathOf, queryOf, readBody, streamBody } from '@trivium/http-contract/node'
import type { Request, Response } from 'express'

/** An Express request as an `Exchange`. Its parts are read on first use. */
export class ExpressExchange implements Exchange<Request> {
  readonly params: Readonly<Record<string, string>>
  readonly host: Request
  readonly closing: AbortSignal
  readonly #response: Response
  #headers: RequestHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(request: Request, response: Response, params: Readonly<Record<string, string>>, closing: AbortSignal) {
    this.params = params
    this.host = request
    this.closing = closing
    this.#response = response
  }

  get method(): string {
    return this.host.method
  }

  get query(): string {
    return queryOf(this.host.url)
  }

  get headers(): RequestHeaders {
    this.#headers ??= headersOf(this.host)
    return this.#headers
  }

  get remoteAddress(): string | undefined {
    return this.host.ip
  }

  get mount(): Mount {
    const { originalUrl, url, baseUrl } = this.host
    const path = mountPathOf(originalUrl, url, baseUrl)
    const prefix = this.host.headers['x-forwarded-prefix']
    return mountOf(prefix === undefined || !isFromProxy(this.host) ? path : forwardedPath(prefix, path), () => ({
      scheme: this.host.protocol,
      host: typeof this.headers.host === 'object' ? undefined : this.host.host,
    }))
  }

  body(limit: number): RequestBody | Promise<RequestBody> {
    const request = this.host
    const value: unknown = request.body
    if (value === undefined || isUnread(request, value)) return readBody(request, this.#response, { limit })
    return givenBody(value, request.headers['content-type'])
  }

  chunks(limit: number): AsyncIterable<Uint8Array> {
    const request = this.host
    const value: unknown = request.body
    if (value === undefined || isUnread(request, value)) return streamBody(request, this.#response, { limit })
    return givenChunks(value, consumed)
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.host, this.#response)
    return this.#signal
  }
}

const consumed = consumedBody('Mount the routes before the parser of forms.')

/** Whether the setting `trust proxy` of the host trusts the peer of the connection. */
function isFromProxy({ app, socket }: Request): boolean {
  const isTrusted: (address: string | undefined, hop: number) => boolean = app.get('trust proxy fn')
  return isTrusted(socket.remoteAddress, 0)
}

// Body parsers from the time of Express 4 set an empty object for other content types.
const isUnread = (request: Request, value: unknown): boolean =>
  !request.readableDidRead && typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Renames the parameters that Express found to the names in a method's own template. */
export function namedParams(found: Request['params'], path: PathTemplate, own: PathTemplate): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of path.names.entries()) {
    const value = found[name] ?? ''
    params[own.names[index] ?? name] = typeof value === 'string' ? value : value.join('/')
  }
  return params
}

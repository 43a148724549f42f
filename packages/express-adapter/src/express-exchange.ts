import type { Exchange, PathTemplate, RequestBody, RequestHeaders } from '@trivium/http-contract'
import { closeSignal, headersOf, queryOf, readBody } from '@trivium/http-contract/node'
import type { Request, Response } from 'express'

/** An Express request as an `Exchange`. Its parts are read on first use. */
export class ExpressExchange implements Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly #request: Request
  readonly #response: Response
  #headers: RequestHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(request: Request, response: Response, params: Readonly<Record<string, string>>) {
    this.params = params
    this.#request = request
    this.#response = response
  }

  get method(): string {
    return this.#request.method
  }

  get query(): string {
    return queryOf(this.#request.url)
  }

  get headers(): RequestHeaders {
    this.#headers ??= headersOf(this.#request)
    return this.#headers
  }

  get remoteAddress(): string | undefined {
    return this.#request.ip
  }

  body(limit: number): RequestBody | Promise<RequestBody> {
    const request = this.#request
    const value: unknown = request.body
    if (value === undefined || isUnread(request, value)) return readBody(request, this.#response, { limit })
    if (typeof value === 'string') return { kind: 'bytes', bytes: new TextEncoder().encode(value) }
    if (value instanceof Uint8Array) return { kind: 'bytes', bytes: value }
    return { kind: 'parsed', value }
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#request, this.#response)
    return this.#signal
  }
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

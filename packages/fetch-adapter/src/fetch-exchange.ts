import type { Exchange, RequestBody, RequestHeaders } from '@trivium/http-contract'
import { readFetchBody } from './read-fetch-body.ts'

/** A web-standard request as an `Exchange`. Its parts are read on first use. */
export class FetchExchange implements Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly remoteAddress: string | undefined
  readonly #request: Request
  #headers: RequestHeaders | undefined

  constructor(
    request: Request,
    params: Readonly<Record<string, string>>,
    query: string,
    remoteAddress: string | undefined,
  ) {
    this.params = params
    this.query = query
    this.remoteAddress = remoteAddress
    this.#request = request
  }

  get method(): string {
    return this.#request.method
  }

  get headers(): RequestHeaders {
    this.#headers ??= Object.fromEntries(this.#request.headers)
    return this.#headers
  }

  body(limit: number): Promise<RequestBody> {
    return readFetchBody(this.#request, limit)
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

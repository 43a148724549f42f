import type { Exchange, RequestHeaders } from '@trivium/http-contract'

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** A request under the id by which its answer, its logs and its upstream calls are found. */
export class IdentifiedExchange implements Exchange {
  readonly requestId: string
  readonly #exchange: Exchange

  /** @param newId makes an id for requests that bring none that is fit */
  constructor(exchange: Exchange, newId: () => string) {
    this.#exchange = exchange
    const given = exchange.headers['x-request-id']
    this.requestId = typeof given === 'string' && SANE_ID.test(given) ? given : `req_${newId()}`
  }

  get method(): string {
    return this.#exchange.method
  }

  get params(): Exchange['params'] {
    return this.#exchange.params
  }

  get query(): string {
    return this.#exchange.query
  }

  get headers(): RequestHeaders {
    return this.#exchange.headers
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  body(limit: number): ReturnType<Exchange['body']> {
    return this.#exchange.body(limit)
  }
}

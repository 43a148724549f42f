import type { Promisable } from 'type-fest'
import type { Exchange, Mount, RequestHeaders } from './exchange.ts'
import type { RequestBody } from './request-body.ts'
import type { SocketExchange } from './socket.ts'

/** A request to upgrade, at another address than the one that its transport reports. */
export class PublicSocketExchange<Host> implements SocketExchange<Host> {
  readonly mount: Mount
  readonly #exchange: SocketExchange<Host>

  constructor(exchange: SocketExchange<Host>, mount: Mount) {
    this.#exchange = exchange
    this.mount = mount
  }

  get method(): string {
    return this.#exchange.method
  }

  get params(): Readonly<Record<string, string>> {
    return this.#exchange.params
  }

  get query(): string {
    return this.#exchange.query
  }

  get headers(): RequestHeaders {
    return this.#exchange.headers
  }

  get remoteAddress(): string | undefined {
    return this.#exchange.remoteAddress
  }

  get host(): Host {
    return this.#exchange.host
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }
}

/** A request, at another address than the one that its transport reports. */
export class PublicExchange<Host> extends PublicSocketExchange<Host> implements Exchange<Host> {
  readonly #body: Exchange<Host>

  constructor(exchange: Exchange<Host>, mount: Mount) {
    super(exchange, mount)
    this.#body = exchange
  }

  get closing(): AbortSignal {
    return this.#body.closing
  }

  body(limit: number): Promisable<RequestBody> {
    return this.#body.body(limit)
  }

  get chunks(): Exchange['chunks'] {
    const { chunks } = this.#body
    return chunks && ((limit) => chunks.call(this.#body, limit))
  }
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestHeaders } from '../exchange.ts'
import type { SocketExchange } from '../socket.ts'
import { headersOf } from './request-headers.ts'
import { queryOf } from './request-query.ts'

/** A request to upgrade, as a socket's handler receives it. */
export class UpgradeExchange implements SocketExchange {
  readonly method = 'GET'
  readonly params: Readonly<Record<string, string>>
  readonly remoteAddress: string | undefined
  readonly #request: IncomingMessage
  readonly #socket: Duplex
  #controller: AbortController | undefined

  constructor(
    request: IncomingMessage,
    socket: Duplex,
    params: Readonly<Record<string, string>>,
    remoteAddress: string | undefined,
  ) {
    this.params = params
    this.remoteAddress = remoteAddress
    this.#request = request
    this.#socket = socket
  }

  get query(): string {
    return queryOf(this.#request.url)
  }

  get headers(): RequestHeaders {
    return headersOf(this.#request)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#socket.destroyed) controller.abort()
      else this.#socket.once('close', () => controller.abort())
    }
    return this.#controller.signal
  }
}

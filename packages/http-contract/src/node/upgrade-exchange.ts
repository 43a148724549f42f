import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Mount, RequestHeaders } from '../exchange.ts'
import { forwardedMount } from '../forwarded-mount.ts'
import { mountOf } from '../mount-of.ts'
import type { SocketExchange } from '../socket.ts'
import { headersOf } from './request-headers.ts'
import { queryOf } from './request-query.ts'

/** A request to upgrade, as a socket's handler receives it. */
export class UpgradeExchange implements SocketExchange<IncomingMessage> {
  readonly method = 'GET'
  readonly params: Readonly<Record<string, string>>
  readonly remoteAddress: string | undefined
  readonly host: IncomingMessage
  readonly #prefix: string
  readonly #isFromProxy: boolean
  readonly #socket: Duplex
  #controller: AbortController | undefined

  constructor(
    request: IncomingMessage,
    socket: Duplex,
    params: Readonly<Record<string, string>>,
    remoteAddress: string | undefined,
    prefix: string,
    isFromProxy: boolean,
  ) {
    this.params = params
    this.remoteAddress = remoteAddress
    this.host = request
    this.#prefix = prefix
    this.#isFromProxy = isFromProxy
    this.#socket = socket
  }

  get query(): string {
    return queryOf(this.host.url)
  }

  get headers(): RequestHeaders {
    return headersOf(this.host)
  }

  get mount(): Mount {
    const { headers } = this
    const address = () => ({
      scheme: 'encrypted' in this.#socket ? 'https' : 'http',
      host: typeof headers.host === 'string' ? headers.host : undefined,
    })
    return this.#isFromProxy ? forwardedMount(headers, this.#prefix, address) : mountOf(this.#prefix, address)
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

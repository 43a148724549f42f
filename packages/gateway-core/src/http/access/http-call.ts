import type { Exchange, RequestHeaders } from '@trivium/http-contract'
import type { Caller, GatewayCall } from '../../caller.ts'
import type { RateState } from '../../rate-limits/rate-limiter.ts'

/** A call that came over HTTP. Its signal is made by the transport only when somebody asks for it. */
export class HttpCall implements GatewayCall {
  readonly requestId: string
  readonly caller: Caller
  rate?: RateState
  readonly #exchange: Exchange

  constructor(exchange: Exchange, requestId: string, caller: Caller) {
    this.#exchange = exchange
    this.requestId = requestId
    this.caller = caller
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  /** Names in lower case. */
  get headers(): RequestHeaders {
    return this.#exchange.headers
  }
}

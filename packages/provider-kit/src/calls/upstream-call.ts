import {
  ByteCollector,
  type ByteReceiver,
  type ByteSource,
  type ProviderErrorInit,
  ProviderFailure,
  toProviderError,
} from '@trivium/gateway-core/ports'
import type { Dispatcher } from 'undici'
import { upstreamFailures } from '../answers/upstream-failures.ts'
import { endToEndHeaders, type HeaderValues } from './end-to-end-headers.ts'
import { transportFailure } from './transport-failure.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'

export interface CallOptions {
  /** Ends the call immediately when it aborts. */
  readonly signal: AbortSignal
  readonly connectTimeoutMs: number
  /** The most bytes of an answer. A larger one is cut off. */
  readonly maxAnswerBytes: number
  /** Replaced by `***` in the headers of the answer. @default none */
  readonly secrets?: readonly string[]
}

/**
 * Sends a request, and resolves once the head of its answer has arrived. Rejects with `ProviderFailure` if none
 * arrives.
 */
export function callUpstream(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: CallOptions,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) {
      reject(new ProviderFailure(upstreamFailures.cancelled))
      return
    }
    const call = new UpstreamCall(options, resolve, reject)
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, call)
    call.watchConnection()
  })
}

/** The most bytes that wait for a receiver before the flow is paused. */
const MAX_WAITING_BYTES = 65_536

class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #options: CallOptions
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (failure: ProviderFailure) => void
  #connectTimer: ReturnType<typeof setTimeout> | undefined
  #controller: Dispatcher.DispatchController | undefined
  #receiver: ByteReceiver | undefined
  readonly #waiting = new ByteCollector()
  #bytes = 0
  #headSeen = false
  #blocked = false
  #ending: ProviderErrorInit | 'complete' | undefined
  #over = false
  #peeked: (() => void) | undefined
  // Not an object with `handleEvent`: Node keeps those, and all their references, until the next full garbage
  // collection.
  readonly #cancelled = () => this.#fail(upstreamFailures.cancelled)

  constructor(
    options: CallOptions,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (failure: ProviderFailure) => void,
  ) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    options.signal.addEventListener('abort', this.#cancelled)
  }

  /** Starts the connect timer, unless an open connection has taken the request. */
  watchConnection(): void {
    if (this.#controller || this.#over) return
    this.#connectTimer = setTimeout(() => this.#fail(upstreamFailures.connectTimedOut), this.#options.connectTimeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('The call ended before it began'))
    else clearTimeout(this.#connectTimer)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HeaderValues): void {
    if (this.#over || status < 200) return
    this.#headSeen = true
    this.#resolve({
      status,
      headers: endToEndHeaders(headers, this.#options.secrets ?? []),
      start: (receiver) => this.#start(receiver),
      peek: () => this.#peek(),
    })
    const { 'content-encoding': encoding = 'identity' } = headers
    if (encoding !== 'identity') this.#fail(upstreamFailures.compressed)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return
    this.#bytes += chunk.byteLength
    if (this.#bytes > this.#options.maxAnswerBytes) {
      this.#fail(upstreamFailures.tooLarge)
      return
    }
    if (this.#receiver && !this.#blocked) {
      this.#blocked = !this.#receiver.data(chunk)
    } else {
      this.#waiting.add(chunk)
      this.#peeked?.()
    }
    if (this.#blocked || this.#waiting.size > MAX_WAITING_BYTES) controller.pause()
  }

  onResponseEnd(): void {
    this.#end('complete')
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    const failure = ProviderFailure.is(error) ? error.error : transportFailure(error, this.#controller !== undefined)
    this.#end(failure, error)
  }

  async #peek(): Promise<Uint8Array> {
    if (this.#waiting.size === 0 && this.#ending === undefined) {
      await new Promise<void>((resolve) => {
        this.#peeked = resolve
      })
    }
    const bytes = this.#waiting.take()
    this.#waiting.add(bytes)
    return bytes
  }

  #start(receiver: ByteReceiver): ByteSource {
    this.#receiver = receiver
    this.#flow()
    return {
      resume: () => {
        if (!this.#blocked) return
        this.#blocked = false
        this.#flow()
      },
      cancel: () => {
        if (this.#over) return
        this.#close()
        this.#controller?.abort(new Error('Cancelled'))
      },
    }
  }

  /** Passes on the waiting bytes, then resumes the upstream's flow or reports how it ended. */
  #flow(): void {
    const receiver = this.#receiver
    if (!receiver) return
    if (this.#waiting.size > 0 && !this.#over) {
      this.#blocked = !receiver.data(this.#waiting.take())
      if (this.#blocked) return
    }
    if (this.#ending === undefined) {
      if (!this.#over) this.#controller?.resume()
      return
    }
    if (this.#over) return
    this.#close()
    if (this.#ending === 'complete') receiver.end()
    else receiver.failed(toProviderError({ ...this.#ending, beforeFirstByte: this.#bytes === 0 }))
  }

  /** Ends the call from this side, and drops the waiting bytes. */
  #fail(failure: ProviderErrorInit): void {
    if (this.#over) return
    this.#waiting.take()
    this.#blocked = false
    this.#end(failure)
    this.#controller?.abort(new Error(failure.message))
  }

  #end(ending: ProviderErrorInit | 'complete', cause?: Error): void {
    if (this.#over || this.#ending !== undefined) return
    this.#ending = ending
    this.#release()
    if (this.#headSeen) {
      this.#peeked?.()
      if (!this.#blocked) this.#flow()
      return
    }
    this.#over = true
    this.#reject(
      new ProviderFailure(
        ending === 'complete' ? upstreamFailures.unanswered : ending,
        cause === undefined ? undefined : { cause },
      ),
    )
  }

  #close(): void {
    this.#over = true
    this.#waiting.take()
    if (this.#ending === undefined) this.#release()
  }

  #release(): void {
    clearTimeout(this.#connectTimer)
    this.#options.signal.removeEventListener('abort', this.#cancelled)
  }
}

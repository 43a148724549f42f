import type { ByteSink, SinkControl } from '../chat/streams/byte-sink.ts'
import { SilenceWatch } from '../chat/streams/silence-watch.ts'
import { clientDisconnected, closedBeforeAnswer, idleTimeout } from '../chat/streams/stream-failures.ts'
import type { StreamEnding } from '../chat/streams/stream-relay.ts'
import { ByteCollector } from '../providers/byte-collector.ts'
import type { ByteReceiver, ByteSource } from '../providers/provider.ts'
import { type ProviderError, ProviderFailure } from '../providers/provider-error.ts'

/** The destination of relayed bytes, which has no place for an error. */
export interface AnswerSink extends ByteSink {
  /** Cuts the connection, so that the client sees that the answer is incomplete. */
  destroy(): void
}

export interface ByteRelayOptions {
  readonly idleTimeoutMs: number
  /** Ends the upstream call, regardless of its source. */
  readonly abort: () => void
  /** Called once, after the last byte. Not called where {@link ByteRelay.open} rejects. */
  readonly onSettled: (ending: StreamEnding) => void
}

/**
 * Relays an answer of any bytes as they arrive, as fast as the client reads. The client gets no status before the first
 * bytes have arrived. An answer that is cut ends with a cut connection.
 */
export class ByteRelay implements ByteReceiver {
  readonly #options: ByteRelayOptions
  readonly #silence: SilenceWatch
  #state: 'opening' | 'held' | 'flowing' | 'settled' = 'opening'
  #source: ByteSource | undefined
  #sink: AnswerSink | undefined
  #opened: (() => void) | undefined
  #refused: ((failure: ProviderFailure) => void) | undefined
  readonly #held = new ByteCollector()
  #ending: StreamEnding | undefined

  constructor(options: ByteRelayOptions) {
    const { idleTimeoutMs } = options
    this.#options = options
    this.#silence = new SilenceWatch({
      keepAliveMs: idleTimeoutMs,
      idleTimeoutMs,
      onQuiet: () => undefined,
      onIdle: () => this.fail(idleTimeout()),
      onEnd: () => undefined,
    })
  }

  /** Starts the upstream. @returns resolves with the first bytes, or rejects with a `ProviderFailure` */
  open(start: (receiver: ByteReceiver) => ByteSource): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
      this.#source = start(this)
      if (this.#state === 'settled') this.#source.cancel()
    })
  }

  /** Writes the held bytes to the sink and lets the rest follow. May be called once, after {@link open} has resolved. */
  attach(sink: AnswerSink): SinkControl {
    const control = { resume: () => this.#resume(), close: () => this.disconnect() }
    if (this.#state !== 'held') {
      sink.destroy()
      return control
    }
    this.#state = 'flowing'
    this.#sink = sink
    if (this.#held.size > 0) this.#write(this.#held.take())
    if (this.#ending) {
      this.#finish(this.#ending)
    } else {
      this.#silence.start()
      if (!this.#silence.paused) this.#source?.resume()
    }
    return control
  }

  data(bytes: Uint8Array): boolean {
    if (this.#state === 'settled') return true
    this.#silence.received()
    this.#write(bytes)
    if (this.#state === 'opening') {
      this.#state = 'held'
      this.#opened?.()
    }
    return this.#state !== 'held' && !this.#silence.paused
  }

  end(): void {
    if (this.#state === 'opening') this.fail(closedBeforeAnswer())
    else this.#finish({ type: 'complete' })
  }

  failed(error: ProviderError): void {
    this.fail(error)
  }

  /** Ends the upstream call. An answer that has started is cut. */
  fail(error: ProviderError): void {
    if (this.#state === 'settled' || this.#ending) return
    this.#cancelSource()
    if (this.#state === 'opening') {
      this.#state = 'settled'
      this.#refused?.(new ProviderFailure(error))
    } else {
      this.#finish({ type: 'upstream-failed', error: { ...error, beforeFirstByte: false } })
    }
  }

  /** Handles the disconnection of the client. */
  disconnect(): void {
    if (this.#state === 'settled') return
    this.#sink = undefined
    this.#held.take()
    if (this.#state === 'opening') {
      this.fail(clientDisconnected())
    } else {
      this.#cancelSource()
      this.#settle({ type: 'client-left', drained: false })
    }
  }

  #write(bytes: Uint8Array): void {
    if (!this.#sink) this.#held.add(bytes)
    else if (!this.#sink.write(bytes)) this.#silence.paused = true
  }

  #resume(): void {
    if (this.#state !== 'flowing') return
    this.#silence.paused = false
    this.#silence.received()
    this.#source?.resume()
  }

  #finish(ending: StreamEnding): void {
    if (this.#state === 'settled') return
    this.#ending = ending
    if (this.#state !== 'flowing') return
    if (ending.type === 'complete') this.#sink?.end()
    else this.#sink?.destroy()
    this.#settle(ending)
  }

  #settle(ending: StreamEnding): void {
    if (this.#state === 'settled') return
    this.#state = 'settled'
    this.#sink = undefined
    this.#silence.stop()
    this.#options.onSettled(ending)
  }

  #cancelSource(): void {
    this.#options.abort()
    this.#source?.cancel()
  }
}

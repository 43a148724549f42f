import type { StreamAccount, StreamProtocol } from '../../dialects/streams/stream-protocol.ts'
import { ByteCollector } from '../../providers/byte-collector.ts'
import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure } from '../../providers/provider-error.ts'
import type { ByteSink, SinkControl } from './byte-sink.ts'
import type { DrainLimits, Drains } from './drains.ts'
import { SilenceWatch } from './silence-watch.ts'
import {
  clientDisconnected,
  closedBeforeAnswer,
  eventTooLarge,
  idleTimeout,
  streamIncomplete,
} from './stream-failures.ts'
import { StreamReader } from './stream-reader.ts'

/** Whether the upstream may charge more than it has reported or sent: it was cut before its end. */
export const isCut = (ending: StreamEnding): boolean =>
  ending.type === 'upstream-failed' ? !ending.isReported : ending.type === 'client-left' && !ending.drained

/** How a stream ended after it had started. */
export type StreamEnding =
  | { readonly type: 'complete' }
  /** `isReported`: the upstream itself has ended the answer, with an error. */
  | { readonly type: 'upstream-failed'; readonly error: ProviderError; readonly isReported?: boolean }
  /** `drained`: the upstream was still read to its end. */
  | { readonly type: 'client-left'; readonly drained: boolean }

export interface StreamRelayOptions {
  /** That of the client, which the source speaks. */
  readonly protocol: StreamProtocol
  readonly keepAliveMs: number
  readonly idleTimeoutMs: number
  readonly maxEventBytes: number
  /** Replaced by `***` in the upstream's error events. */
  readonly secrets: readonly string[]
  /** `undefined`: the upstream call ends immediately when the client disconnects. */
  readonly drains: Drains | undefined
  /** Ends the upstream call, regardless of its source. */
  readonly abort: () => void
  /** Called once, after the last byte. Not called where {@link StreamRelay.open} rejects. */
  readonly onSettled: (ending: StreamEnding) => void
}

const encoder = new TextEncoder()

/** The time that an upstream has to close after its last event, before the gateway closes the connection. */
const LINGER_MS = 1_000

/**
 * Relays one event stream from an upstream to a client, byte for byte. The client gets no status before the first event
 * has arrived. A stream that is cut ends in an error event, never as if it were complete.
 */
export class StreamRelay implements ByteReceiver {
  readonly #options: StreamRelayOptions
  readonly #reader: StreamReader
  readonly #silence: SilenceWatch
  #state: 'opening' | 'held' | 'flowing' | 'draining' | 'settled' = 'opening'
  #source: ByteSource | undefined
  #sink: ByteSink | undefined
  #opened: (() => void) | undefined
  #refused: ((failure: ProviderFailure) => void) | undefined
  /** The bytes that arrived before the sink was attached. */
  readonly #held = new ByteCollector()
  #ending: StreamEnding | undefined
  #drain: DrainLimits | undefined
  #linger: ReturnType<typeof setTimeout> | undefined
  #sourceEnded = false
  /** Once set, further reports of the source about its end are ignored. */
  #sourceCancelled = false

  constructor(options: StreamRelayOptions) {
    const { protocol, maxEventBytes, secrets, keepAliveMs, idleTimeoutMs } = options
    this.#options = options
    this.#reader = new StreamReader({ protocol, maxEventBytes, secrets, write: (piece) => this.#write(piece) })
    this.#silence = new SilenceWatch({
      keepAliveMs,
      idleTimeoutMs,
      onQuiet: () => this.#write(protocol.keepAlive),
      onIdle: () => this.fail(idleTimeout()),
      onEnd: () => this.#settleDisconnected(false),
    })
  }

  get account(): StreamAccount {
    return this.#options.protocol.account
  }

  /** Starts the upstream. @returns resolves with the first event, or rejects with a `ProviderFailure` */
  open(start: (receiver: ByteReceiver) => ByteSource): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
      this.#source = start(this)
      if (this.#state === 'settled') this.#source.cancel()
    })
  }

  /** Writes the held bytes to the sink and lets the rest follow. May be called once, after {@link open} has resolved. */
  attach(sink: ByteSink): SinkControl {
    const control = { resume: () => this.#resume(), close: () => this.disconnect() }
    if (this.#state !== 'held') {
      sink.end()
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
    this.#reader.push(bytes)
    this.#advance()
    if (this.#drain?.take(bytes.length) === false) this.#settleDisconnected(false)
    return this.#state !== 'held' && !this.#silence.paused
  }

  end(): void {
    this.#sourceEnded = true
    clearTimeout(this.#linger)
    if (this.#state === 'settled') return
    this.#reader.end()
    this.#advance()
    if (this.#ending) return
    const { opened, upstreamError } = this.#reader
    const { account, end } = this.#options.protocol
    if (!opened) {
      this.fail(closedBeforeAnswer())
    } else if (upstreamError) {
      this.#finish({ type: 'upstream-failed', error: upstreamError, isReported: true })
    } else if (account.isComplete) {
      if (end !== '') this.#write(end)
      this.#finish({ type: 'complete' })
    } else {
      this.fail(streamIncomplete())
    }
  }

  failed(error: ProviderError): void {
    this.#sourceEnded = true
    clearTimeout(this.#linger)
    if (!this.#sourceCancelled) this.fail(error)
  }

  /** Ends the upstream call. An answer that has started ends with an error event. */
  fail(error: ProviderError): void {
    if (this.#state === 'settled' || this.#ending) return
    this.#cancelSource()
    if (this.#state === 'opening') {
      this.#state = 'settled'
      this.#refused?.(new ProviderFailure(error))
      return
    }
    const isReported = this.#reader.upstreamError !== undefined
    if (!isReported) this.#write(this.#options.protocol.errorEvent(error))
    this.#finish({ type: 'upstream-failed', error: { ...error, beforeFirstByte: false }, isReported })
  }

  /** Handles the disconnection of the client: cancels the upstream or drains it. */
  disconnect(): void {
    if (this.#state === 'settled' || this.#state === 'draining') return
    this.#sink = undefined
    this.#held.take()
    if (this.#state === 'opening') this.fail(clientDisconnected())
    else if (this.#ending) this.#settle({ type: 'client-left', drained: this.#ending.type === 'complete' })
    else this.#drainOrCancel()
  }

  /** Applies the state of the reader after new bytes. */
  #advance(): void {
    const { failure, opened, done, upstreamError } = this.#reader
    if (failure) {
      this.fail(failure)
      return
    }
    if (this.#held.size > this.#options.maxEventBytes) {
      this.fail(eventTooLarge())
      return
    }
    if (opened && this.#state === 'opening') {
      this.#state = 'held'
      this.#opened?.()
    }
    if (!done) return
    this.#finish(
      upstreamError ? { type: 'upstream-failed', error: upstreamError, isReported: true } : { type: 'complete' },
    )
  }

  #drainOrCancel(): void {
    this.#drain = this.#options.drains?.begin(() => this.#settleDisconnected(false))
    if (!this.#drain) {
      this.#settleDisconnected(false)
      return
    }
    this.#state = 'draining'
    this.#silence.stop()
    this.#silence.endsAt = this.#drain.endsAt
    this.#silence.start()
    this.#resume()
  }

  #write(piece: Uint8Array | string): void {
    if (this.#sink) {
      this.#silence.sent()
      if (!this.#sink.write(piece)) this.#silence.paused = true
    } else if (this.#state === 'opening' || this.#state === 'held') {
      this.#held.add(typeof piece === 'string' ? encoder.encode(piece) : piece)
    }
  }

  #resume(): void {
    if (this.#state !== 'flowing' && this.#state !== 'draining') return
    this.#silence.paused = false
    this.#silence.received()
    this.#source?.resume()
  }

  #finish(ending: StreamEnding): void {
    this.#ending = ending
    if (this.#state === 'draining') {
      this.#settleDisconnected(ending.type === 'complete')
    } else if (this.#state === 'flowing') {
      this.#sink?.end()
      this.#settle(ending)
    }
  }

  #settleDisconnected(drained: boolean): void {
    if (!drained) this.#cancelSource()
    this.#settle({ type: 'client-left', drained })
  }

  #settle(ending: StreamEnding): void {
    if (this.#state === 'settled') return
    this.#state = 'settled'
    this.#sink = undefined
    this.#drain?.end()
    this.#silence.stop()
    // The upstream is about to end the answer itself. Closing it here would prevent the reuse of the connection.
    if (this.#reader.done && !this.#sourceEnded) {
      this.#linger = setTimeout(() => this.#cancelSource(), LINGER_MS)
      this.#source?.resume()
    }
    this.#options.onSettled(ending)
  }

  #cancelSource(): void {
    this.#sourceCancelled = true
    this.#options.abort()
    this.#source?.cancel()
  }
}

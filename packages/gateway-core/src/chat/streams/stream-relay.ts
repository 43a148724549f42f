import { ByteCollector } from '../../providers/byte-collector.ts'
import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure } from '../../providers/provider-error.ts'
import type { ByteSink, SinkControl } from './byte-sink.ts'
import type { DrainLimits, Drains } from './drains.ts'
import { SilenceWatch } from './silence-watch.ts'
import type { StreamAccount } from './stream-account.ts'
import { clientLeft, cutOff, endedUnanswered, errorEvent, eventTooLarge, fellSilent } from './stream-failures.ts'
import { StreamReader } from './stream-reader.ts'

/** How a stream ended that had begun. */
export type StreamEnding =
  | { readonly type: 'complete' }
  | { readonly type: 'upstream-failed'; readonly error: ProviderError }
  /** `drained`: the upstream was heard to its end nevertheless. */
  | { readonly type: 'client-left'; readonly drained: boolean }

export interface StreamRelayOptions {
  /** How many answers (`n`) have to finish. */
  readonly choices: number
  readonly stripUsage: boolean
  readonly keepAliveMs: number
  readonly idleTimeoutMs: number
  readonly maxEventBytes: number
  /** Taken out of the upstream's error events. */
  readonly secrets: readonly string[]
  /** `undefined`: a client that leaves ends the upstream call at once. */
  readonly drains: Drains | undefined
  /** Ends the upstream call, whatever its source does. */
  readonly abort: () => void
  /** Called once, when nothing more will come or go; not where {@link StreamRelay.open} rejects. */
  readonly onSettled: (ending: StreamEnding) => void
}

const KEEP_ALIVE = ': keep-alive\n\n'
const DONE = 'data: [DONE]\n\n'

const encoder = new TextEncoder()

/** How long an upstream may take to close after its `[DONE]` before the connection is cut. */
const LINGER_MS = 1_000

/**
 * Carries one event stream from an upstream to a client, byte for byte. Nothing is promised to the client before the
 * first event is known; a stream that is cut ends in an error event, never as if it were complete.
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
  /** What came before the sink. */
  readonly #held = new ByteCollector()
  #ending: StreamEnding | undefined
  #drain: DrainLimits | undefined
  #linger: ReturnType<typeof setTimeout> | undefined
  #sourceEnded = false
  /** From here on: what the source says of its end is no news. */
  #sourceCancelled = false

  constructor(options: StreamRelayOptions) {
    const { stripUsage, maxEventBytes, secrets, keepAliveMs, idleTimeoutMs } = options
    this.#options = options
    this.#reader = new StreamReader({ stripUsage, maxEventBytes, secrets, write: (piece) => this.#write(piece) })
    this.#silence = new SilenceWatch({
      keepAliveMs,
      idleTimeoutMs,
      onQuiet: () => this.#write(KEEP_ALIVE),
      onIdle: () => this.fail(fellSilent()),
      onEnd: () => this.#settleLeft(false),
    })
  }

  get account(): StreamAccount {
    return this.#reader.account
  }

  /** Starts the upstream's flow. @returns settles with the first event, or rejects with a `ProviderFailure` */
  open(start: (receiver: ByteReceiver) => ByteSource): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
      this.#source = start(this)
      if (this.#state === 'settled') this.#source.cancel()
    })
  }

  /** Hands over what was held back and lets the rest flow. Once, after {@link open} has settled well. */
  attach(sink: ByteSink): SinkControl {
    const control = { resume: () => this.#resume(), close: () => this.leave() }
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
    this.#silence.heard()
    this.#reader.push(bytes)
    this.#advance()
    if (this.#drain?.take(bytes.length) === false) this.#settleLeft(false)
    return this.#state !== 'held' && !this.#silence.paused
  }

  end(): void {
    this.#sourceEnded = true
    clearTimeout(this.#linger)
    if (this.#state === 'settled') return
    this.#reader.end()
    this.#advance()
    if (this.#ending) return
    const { opened, upstreamError, account } = this.#reader
    if (!opened) {
      this.fail(endedUnanswered())
    } else if (upstreamError) {
      this.#finish({ type: 'upstream-failed', error: upstreamError })
    } else if (account.isFinished(this.#options.choices)) {
      this.#write(DONE)
      this.#finish({ type: 'complete' })
    } else {
      this.fail(cutOff())
    }
  }

  failed(error: ProviderError): void {
    this.#sourceEnded = true
    clearTimeout(this.#linger)
    if (!this.#sourceCancelled) this.fail(error)
  }

  /** Ends the upstream call, and the answer with an error event where it has begun. */
  fail(error: ProviderError): void {
    if (this.#state === 'settled' || this.#ending) return
    this.#cancelSource()
    if (this.#state === 'opening') {
      this.#state = 'settled'
      this.#refused?.(new ProviderFailure(error))
      return
    }
    if (!this.#reader.upstreamError) this.#write(errorEvent(error))
    this.#finish({ type: 'upstream-failed', error: { ...error, beforeFirstByte: false } })
  }

  /** The client has left. */
  leave(): void {
    if (this.#state === 'settled' || this.#state === 'draining') return
    this.#sink = undefined
    this.#held.take()
    if (this.#state === 'opening') this.fail(clientLeft())
    else if (this.#ending) this.#settle({ type: 'client-left', drained: this.#ending.type === 'complete' })
    else this.#drainOrCancel()
  }

  /** Draws the conclusions of what the reader has read. */
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
    if (done) this.#finish(upstreamError ? { type: 'upstream-failed', error: upstreamError } : { type: 'complete' })
  }

  #drainOrCancel(): void {
    this.#drain = this.#options.drains?.begin()
    if (!this.#drain) {
      this.#settleLeft(false)
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
      this.#silence.said()
      if (!this.#sink.write(piece)) this.#silence.paused = true
    } else if (this.#state === 'opening' || this.#state === 'held') {
      this.#held.add(typeof piece === 'string' ? encoder.encode(piece) : piece)
    }
  }

  #resume(): void {
    if (this.#state !== 'flowing' && this.#state !== 'draining') return
    this.#silence.paused = false
    this.#silence.heard()
    this.#source?.resume()
  }

  #finish(ending: StreamEnding): void {
    this.#ending = ending
    if (this.#state === 'draining') {
      this.#settleLeft(ending.type === 'complete')
    } else if (this.#state === 'flowing') {
      this.#sink?.end()
      this.#settle(ending)
    }
  }

  #settleLeft(drained: boolean): void {
    if (!drained) this.#cancelSource()
    this.#settle({ type: 'client-left', drained })
  }

  #settle(ending: StreamEnding): void {
    if (this.#state === 'settled') return
    this.#state = 'settled'
    this.#sink = undefined
    this.#drain?.end()
    this.#silence.stop()
    // Closing a connection that is about to end by itself would keep it from being used again.
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

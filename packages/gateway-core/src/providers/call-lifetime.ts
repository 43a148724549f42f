import type { DrainLimits, Drains } from '../chat/streams/drains.ts'
import { releaseTimer } from '../release-timer.ts'
import { ProviderFailure } from './provider-error.ts'

/** Why a call ended before its answer was complete. */
export type CallEnd = 'client-left' | 'timed-out'

/** A timeout that the request itself set below the gateway's. It does not count as a failure of the upstream. */
export class CallerTimeoutError extends ProviderFailure {}

export interface LifetimeOptions {
  readonly totalMs: number
  /** Whether the request itself set the timeout. */
  readonly hasOwnTimeout: boolean
  /** Whether that timeout is below the gateway's. */
  readonly isCallersTimeout: boolean
  /**
   * Lets the attempt that runs end after the client has disconnected, so that its cost is known.
   *
   * @default the attempt ends immediately
   */
  readonly drains?: Drains | undefined
}

/** The lifetime of one request's upstream calls. It ends when the client disconnects or the timeout passes. */
export class CallLifetime {
  ended: CallEnd | undefined
  /** Whether the client has disconnected, though its running attempt perhaps still ends. */
  hasLeft = false
  /** Whether an attempt was continued after that. */
  isDrained = false
  /** Whether an upstream works on the request. */
  isAsking = false
  /** Called on the end: it interrupts the running attempt, the wait between two attempts, or the stream. */
  onInterrupt: ((end: CallEnd) => void) | undefined
  readonly #client: AbortSignal
  readonly #isCallersTimeout: boolean
  readonly #hasOwnTimeout: boolean
  readonly #timer: ReturnType<typeof setTimeout>
  /** `undefined` once a stream has started, which is drained itself. */
  #drains: Drains | undefined
  #drain: DrainLimits | undefined
  #drainTimer: ReturnType<typeof setTimeout> | undefined
  // A function, because Node keeps objects with `handleEvent` and their references until the next full garbage collection.
  readonly #onDisconnect = () => this.#leave()

  constructor(client: AbortSignal, { totalMs, hasOwnTimeout, isCallersTimeout, drains }: LifetimeOptions) {
    this.#drains = drains
    this.#client = client
    this.#hasOwnTimeout = hasOwnTimeout
    this.#isCallersTimeout = isCallersTimeout
    this.#timer = setTimeout(() => this.#end('timed-out'), totalMs)
    client.addEventListener('abort', this.#onDisconnect)
    if (client.aborted) this.#leave()
  }

  /** Whether the client has ended it: by disconnecting, or by a timeout of its own. */
  get isEndedByClient(): boolean {
    return this.hasLeft || (this.ended === 'timed-out' && this.#isCallersTimeout)
  }

  /** Returns the error of an attempt that this end interrupts. */
  failureOf(end: CallEnd): ProviderFailure {
    if (end === 'client-left')
      return new ProviderFailure({ type: 'cancelled', message: 'The client has disconnected.' })
    return this.#isCallersTimeout ? new CallerTimeoutError(totalTimeout) : new ProviderFailure(totalTimeout)
  }

  /** Waits between two attempts. @returns whether the call continues */
  pause(milliseconds: number): Promise<boolean> {
    if (this.ended || this.hasLeft) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), milliseconds)
      this.onInterrupt = () => {
        clearTimeout(timer)
        resolve(false)
      }
    })
  }

  /** A stream has started. From now on only a timeout of the request itself ends it: a healthy stream may be long. */
  started(): void {
    if (!this.#hasOwnTimeout) clearTimeout(this.#timer)
    this.#drains = undefined
    if (this.hasLeft) this.#end('client-left')
  }

  /** Stops the timer and the watch of the client. */
  finish(): void {
    clearTimeout(this.#timer)
    this.#client.removeEventListener('abort', this.#onDisconnect)
    clearTimeout(this.#drainTimer)
    this.#drain?.end()
    this.#drain = undefined
  }

  #leave(): void {
    if (this.ended || this.hasLeft) return
    this.hasLeft = true
    this.#drain = this.isAsking ? this.#drains?.begin(() => this.#end('client-left')) : undefined
    if (!this.#drain) {
      this.#end('client-left')
      return
    }
    this.isDrained = true
    this.#drainTimer = setTimeout(() => this.#end('client-left'), this.#drain.endsAt - performance.now())
    releaseTimer(this.#drainTimer)
  }

  #end(end: CallEnd): void {
    if (this.ended) return
    this.ended = end
    this.finish()
    this.onInterrupt?.(end)
  }
}

const totalTimeout = {
  type: 'timed-out',
  phase: 'total',
  message: 'The answer took longer than the timeout of the request.',
  retryable: false,
} as const

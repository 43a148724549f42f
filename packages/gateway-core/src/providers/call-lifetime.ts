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
}

/** The lifetime of one request's upstream calls. It ends when the client disconnects or the timeout passes. */
export class CallLifetime {
  ended: CallEnd | undefined
  /** Called on the end: it interrupts the running attempt, the wait between two attempts, or the stream. */
  onInterrupt: ((end: CallEnd) => void) | undefined
  readonly #client: AbortSignal
  readonly #isCallersTimeout: boolean
  readonly #hasOwnTimeout: boolean
  readonly #timer: ReturnType<typeof setTimeout>
  // A function, because Node keeps objects with `handleEvent` and their references until the next full garbage collection.
  readonly #onDisconnect = () => this.#end('client-left')

  constructor(client: AbortSignal, { totalMs, hasOwnTimeout, isCallersTimeout }: LifetimeOptions) {
    this.#client = client
    this.#hasOwnTimeout = hasOwnTimeout
    this.#isCallersTimeout = isCallersTimeout
    this.#timer = setTimeout(() => this.#end('timed-out'), totalMs)
    client.addEventListener('abort', this.#onDisconnect)
    if (client.aborted) this.#end('client-left')
  }

  /** Whether the client has ended it: by disconnecting, or by a timeout of its own. */
  get isEndedByClient(): boolean {
    return this.ended === 'client-left' || (this.ended === 'timed-out' && this.#isCallersTimeout)
  }

  /** Returns the error of an attempt that this end interrupts. */
  failureOf(end: CallEnd): ProviderFailure {
    if (end === 'client-left')
      return new ProviderFailure({ type: 'cancelled', message: 'The client has disconnected.' })
    return this.#isCallersTimeout ? new CallerTimeoutError(totalTimeout) : new ProviderFailure(totalTimeout)
  }

  /** Waits between two attempts. @returns whether the call continues */
  pause(milliseconds: number): Promise<boolean> {
    if (this.ended) return Promise.resolve(false)
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
  }

  /** Stops the timer and the watch of the client. */
  finish(): void {
    clearTimeout(this.#timer)
    this.#client.removeEventListener('abort', this.#onDisconnect)
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

export interface SilenceWatchOptions {
  readonly keepAliveMs: number
  readonly idleTimeoutMs: number
  /** Nothing was received or sent for `keepAliveMs`. */
  readonly onQuiet: () => void
  /** Nothing was received for `idleTimeoutMs`. */
  readonly onIdle: () => void
  /** The time {@link SilenceWatch.endsAt} is reached. */
  readonly onEnd: () => void
}

/** Measures the silence of a stream with one timer, which is set again only when it fires. */
export class SilenceWatch {
  /** Set while the client is slow: the gateway then does not read from the upstream. */
  paused = false
  /** On the clock of `performance.now()`. */
  endsAt = Number.POSITIVE_INFINITY
  #receivedAt = 0
  #sentAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #options: SilenceWatchOptions

  constructor(options: SilenceWatchOptions) {
    this.#options = options
  }

  start(): void {
    this.#receivedAt = performance.now()
    this.#set(this.#receivedAt)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  received(): void {
    this.#receivedAt = performance.now()
  }

  sent(): void {
    this.#sentAt = performance.now()
  }

  #onTimer(): void {
    const { keepAliveMs, idleTimeoutMs, onQuiet, onIdle, onEnd } = this.#options
    const now = performance.now()
    if (now >= this.endsAt) {
      onEnd()
    } else if (!this.paused && now >= this.#receivedAt + idleTimeoutMs) {
      onIdle()
    } else {
      if (!this.paused && now >= Math.max(this.#receivedAt, this.#sentAt) + keepAliveMs) onQuiet()
      this.#set(now)
    }
  }

  #set(now: number): void {
    const { keepAliveMs, idleTimeoutMs } = this.#options
    const quietAt = Math.max(this.#receivedAt, this.#sentAt) + keepAliveMs
    const next = this.paused ? now + keepAliveMs : Math.min(this.#receivedAt + idleTimeoutMs, quietAt)
    this.#timer = setTimeout(() => this.#onTimer(), Math.max(1, Math.ceil(Math.min(next, this.endsAt) - now)))
  }
}

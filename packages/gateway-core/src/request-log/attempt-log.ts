import type { AttemptCause, LoggedAttempt, PassedOver } from './logged-request.ts'
import { MAX_LOGGED_ATTEMPTS, MAX_UNMASKED_MESSAGE } from './request-log-bounds.ts'

/** Collects the route of one request. Times are those of `performance.now()`. */
export class AttemptLog {
  readonly #startedAt: number
  readonly #attempts: LoggedAttempt[] = []
  #omitted = 0
  #running: Omit<LoggedAttempt, 'durationMs' | 'status'> | undefined

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  get attempts(): readonly LoggedAttempt[] {
    return this.#attempts
  }

  /** The number of attempts that are not in the list. */
  get omitted(): number {
    return this.#omitted
  }

  /** @param passedOver set where it is not called */
  begin(provider: string, upstreamModel: string | undefined, cause: AttemptCause, passedOver?: PassedOver): void {
    this.#running = {
      provider,
      ...(upstreamModel === undefined ? {} : { upstreamModel }),
      cause,
      ...(passedOver && { passedOver }),
      startMs: this.#elapsed(),
    }
  }

  /** Ends the running attempt, where there is one. */
  end(status: number, errorType: string | undefined, errorMessage: string | undefined): void {
    if (!this.#running) return
    const attempt: LoggedAttempt = {
      ...this.#running,
      durationMs: this.#running.passedOver ? 0 : this.#elapsed() - this.#running.startMs,
      status,
      ...(errorType === undefined ? {} : { errorType }),
      ...(errorMessage === undefined ? {} : { errorMessage: errorMessage.slice(0, MAX_UNMASKED_MESSAGE) }),
    }
    this.#running = undefined
    if (this.#attempts.length < MAX_LOGGED_ATTEMPTS) this.#attempts.push(attempt)
    else this.#omitted += 1
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

import { ProviderFailure } from './provider-error.ts'

/** Why a call is over before its answer is. */
export type CallEnd = 'client-left' | 'timed-out'

/** The request asked for less time than the gateway gives: no upstream is to blame for that. */
export class HastyRequest extends ProviderFailure {}

/**
 * How long one request may keep upstreams busy: until its client leaves or its time is over. It ends the attempt that
 * runs, whether or not the upstream obeys its signal, and can hand this duty over to a stream.
 */
export class CallLifetime {
  ended: CallEnd | undefined
  #onEnd: ((end: CallEnd) => void) | undefined
  readonly #client: AbortSignal
  readonly #isHasty: boolean
  readonly #timer: ReturnType<typeof setTimeout>
  #attempt: Attempt | undefined
  // Not an object with `handleEvent`: Node keeps those, and all that they refer to, until the next full collection.
  readonly #left = () => this.#end('client-left')

  /** @param isHasty whether the time is shorter than the gateway's, at the request's own wish */
  constructor(client: AbortSignal, totalMs: number, isHasty: boolean) {
    this.#client = client
    this.#isHasty = isHasty
    this.#timer = setTimeout(() => this.#end('timed-out'), totalMs)
    client.addEventListener('abort', this.#left)
    if (client.aborted) this.#end('client-left')
  }

  /** Runs one attempt at an upstream. @param firstByteMs how long it may take; unlimited where absent */
  attempt<T>(task: (signal: AbortSignal, abort: () => void) => Promise<T>, firstByteMs?: number): Promise<T> {
    if (this.ended) return Promise.reject(this.#failureOf(this.ended))
    const attempt = new Attempt(firstByteMs)
    this.#attempt = attempt
    return attempt.run(task)
  }

  /** Waits between attempts. @returns whether the call goes on */
  async pause(milliseconds: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
    await this.attempt(() => waited).catch(() => clearTimeout(timer))
    return this.ended === undefined
  }

  /** An answer streams: its end is no longer the attempt's. */
  handOver(onEnd: (end: CallEnd) => void): void {
    this.#onEnd = onEnd
  }

  /** Nothing is to be watched over any longer. */
  finish(): void {
    clearTimeout(this.#timer)
    this.#client.removeEventListener('abort', this.#left)
  }

  #end(end: CallEnd): void {
    if (this.ended) return
    this.ended = end
    this.finish()
    if (this.#onEnd) this.#onEnd(end)
    else this.#attempt?.fail(this.#failureOf(end))
  }

  #failureOf(end: CallEnd): ProviderFailure {
    if (end === 'client-left') return new ProviderFailure({ type: 'cancelled', message: 'The client has left' })
    return this.#isHasty ? new HastyRequest(outOfTime) : new ProviderFailure(outOfTime)
  }
}

class Attempt {
  readonly #controller = new AbortController()
  #reject: ((failure: ProviderFailure) => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(firstByteMs: number | undefined) {
    if (firstByteMs !== undefined) this.#timer = setTimeout(() => this.fail(lateFailure()), firstByteMs)
  }

  run<T>(task: (signal: AbortSignal, abort: () => void) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject
      task(this.#controller.signal, () => this.#controller.abort()).then(
        (answer) => {
          clearTimeout(this.#timer)
          resolve(answer)
        },
        (failure) => {
          clearTimeout(this.#timer)
          reject(failure)
        },
      )
    })
  }

  fail(failure: ProviderFailure): void {
    clearTimeout(this.#timer)
    this.#reject?.(failure)
    this.#controller.abort(failure)
  }
}

const lateFailure = () =>
  new ProviderFailure({
    type: 'timed-out',
    phase: 'first-byte',
    message: 'The upstream took too long to begin its answer',
  })

const outOfTime = {
  type: 'timed-out',
  phase: 'total',
  message: 'The answer took longer than the request allows',
  retryable: false,
} as const

import { ProviderFailure } from './provider-error.ts'

/** Why a call is over before its answer is. */
export type CallEnd = 'client-left' | 'timed-out'

/** The request asked for less time than the gateway gives: no upstream is to blame for that. */
export class HastyRequest extends ProviderFailure {}

/** How long one request may keep upstreams busy: until its client leaves or its time has ended. */
export class CallLifetime {
  ended: CallEnd | undefined
  /** What an end interrupts: the attempt that runs, the wait between two, or the stream that has begun. */
  interrupts: ((end: CallEnd) => void) | undefined
  readonly #client: AbortSignal
  readonly #isHasty: boolean
  readonly #timer: ReturnType<typeof setTimeout>
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

  /** What an attempt fails with that this end interrupts. */
  failureOf(end: CallEnd): ProviderFailure {
    if (end === 'client-left') return new ProviderFailure({ type: 'cancelled', message: 'The client has left' })
    return this.#isHasty ? new HastyRequest(outOfTime) : new ProviderFailure(outOfTime)
  }

  /** Waits between two attempts. @returns whether the call continues */
  pause(milliseconds: number): Promise<boolean> {
    if (this.ended) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), milliseconds)
      this.interrupts = () => {
        clearTimeout(timer)
        resolve(false)
      }
    })
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
    this.interrupts?.(end)
  }
}

const outOfTime = {
  type: 'timed-out',
  phase: 'total',
  message: 'The answer took longer than the request allows',
  retryable: false,
} as const

import { nextTurn } from './dialects/requests/next-turn.ts'

/** How long one turn of the event loop may take. */
const TURN_MS = 8

/** Divides long work into turns of the event loop. Other requests are served between them. */
export class Turns {
  readonly #signal: AbortSignal | undefined
  #began = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Whether the current turn has taken long enough. Each piece of work in between has to be short. */
  get isDue(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  /** Resolves in a later turn. @throws the reason of the signal where it is aborted */
  async next(): Promise<void> {
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#began = performance.now()
  }
}

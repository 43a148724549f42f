import { nextTurn } from '../../dialects/requests/next-turn.ts'

/** How long one stream may keep a turn of the event loop. */
const TURN_MS = 8

/** Divides the work on a stream into turns of the event loop. The time between two pieces of work does not count. */
export class WorkingTurns {
  #began: number | undefined
  #spent = 0

  /** Begins work. */
  start(): void {
    this.#began ??= performance.now() - this.#spent
  }

  /** Ends work, until more of it arrives. */
  pause(): void {
    if (this.#began !== undefined) this.#spent = performance.now() - this.#began
    this.#began = undefined
  }

  /** Whether the work since the last turn has taken long enough. */
  get isDue(): boolean {
    return this.#began !== undefined && performance.now() - this.#began >= TURN_MS
  }

  /** Resolves in a later turn. */
  async next(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}

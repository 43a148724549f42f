import type { AccountId } from '../accounts/account-id.ts'

/** The most requests of an account that wait in this process. */
const MAX_WAITING = 100
/** Requests in other processes end without a notice, so the store is asked again after such a time. */
const POLL_MS = 250

/** Requests that wait until another one of their account ends. */
export class WaitingRequests {
  readonly #waiting = new Map<AccountId, Set<() => void>>()

  /**
   * Waits for the end of a request of the account, or for a while.
   *
   * @returns `false`: the time has passed, the client has disconnected, or too many requests wait
   */
  async wait(id: AccountId, until: number, signal: AbortSignal): Promise<boolean> {
    const left = until - performance.now()
    const waiting = this.#waiting.get(id) ?? new Set()
    if (left <= 0 || signal.aborted || waiting.size >= MAX_WAITING) return false
    this.#waiting.set(id, waiting)
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        waiting.delete(wake)
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(wake, Math.min(left, POLL_MS * (1 + Math.random())))
      signal.addEventListener('abort', wake)
      waiting.add(wake)
    })
    return !signal.aborted
  }

  /** Wakes the request of the account that has waited longest. */
  wake(id: AccountId): void {
    const [first] = this.#waiting.get(id) ?? []
    first?.()
  }
}

import type { Account } from '../accounts/account.ts'
import type { AccountId } from '../accounts/account-id.ts'
import { RATE_WINDOW_MS } from './rate-limiter.ts'

/** The least invalid requests that an account may send in a window. The limit is its rate limit if that is more. */
const MIN_REFUSALS = 60

/** The most accounts that are counted. The one with the oldest window is removed first. */
const MAX_KEYS = 10_000

/** An account has sent too many invalid requests. */
export interface TooManyRefused {
  readonly type: 'too-many-refused'
  readonly limit: number
  readonly retryAfterMs: number
}

interface Window {
  readonly start: number
  count: number
}

/**
 * Counts the invalid requests of accounts in this process. They take time to read, and the rate limit does not count them.
 */
export class RefusedRequests {
  readonly #windows = new Map<AccountId, Window>()

  /** Returns the error for the next request of an account, before it is read, or `undefined` where it is accepted. */
  refuse({ id, rateLimit = 0 }: Account, now: Date): TooManyRefused | undefined {
    const window = this.#current(id, now)
    const limit = Math.max(MIN_REFUSALS, rateLimit)
    if (!window || window.count < limit) return undefined
    return { type: 'too-many-refused', limit, retryAfterMs: window.start + RATE_WINDOW_MS - now.getTime() }
  }

  count({ id }: Account, now: Date): void {
    const window = this.#current(id, now)
    if (window) {
      window.count += 1
      return
    }
    this.#windows.delete(id)
    this.#windows.set(id, { start: now.getTime(), count: 1 })
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? id)
  }

  /** A window that starts after `now` comes from before the clock went back, and has ended. */
  #current(id: AccountId, now: Date): Window | undefined {
    const window = this.#windows.get(id)
    const age = window ? now.getTime() - window.start : -1
    return age >= 0 && age < RATE_WINDOW_MS ? window : undefined
  }
}

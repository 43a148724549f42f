import type { AccountId } from '../accounts/account-id.ts'
import { RATE_WINDOW_MS } from './rate-limiter.ts'

/** How often a busy account is moved to the end of the order, in milliseconds. */
const ORDER_MS = 1_000

interface Kept<Value> {
  readonly value: Value
  /** When the account was last moved after all others. */
  movedAt: number
}

/** What a process knows of accounts, until they are idle for a window. */
export class RecentAccounts<Value> {
  // Ordered by last use, accurate to ORDER_MS, so that idle accounts are at the front.
  readonly #accounts = new Map<AccountId, Kept<Value>>()
  readonly #onIdle: (id: AccountId, value: Value) => void

  /** @param onIdle called after an account was removed because it is idle */
  constructor(onIdle: (id: AccountId, value: Value) => void = () => undefined) {
    this.#onIdle = onIdle
  }

  get(id: AccountId): Value | undefined {
    return this.#accounts.get(id)?.value
  }

  /** Stores a value, or marks it as used. */
  use(id: AccountId, value: Value, now: number): void {
    const kept = this.#accounts.get(id)
    if (kept?.value === value && Math.abs(now - kept.movedAt) < ORDER_MS) return
    this.#accounts.delete(id)
    this.#accounts.set(id, { value, movedAt: now })
    this.#deleteIdle(now)
  }

  delete(id: AccountId): void {
    this.#accounts.delete(id)
  }

  /** Deletes accounts at the front that were not used for longer than the window. */
  #deleteIdle(now: number): void {
    for (const [id, kept] of this.#accounts) {
      const age = now - kept.movedAt
      if (age >= RATE_WINDOW_MS + ORDER_MS) {
        this.#accounts.delete(id)
        this.#onIdle(id, kept.value)
      } else if (age < -RATE_WINDOW_MS) {
        // The clock was wrong then, or is now. Treat the account as new.
        kept.movedAt = now
        this.#accounts.delete(id)
        this.#accounts.set(id, kept)
      } else return
    }
  }
}

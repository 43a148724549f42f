import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import { RATE_WINDOW_MS } from './rate-limiter.ts'

/** A key may be wrong so often in a window, and as often as its rate limit where that is more. */
const LEAST_REFUSALS = 60

/** Keys that are remembered; the ones that began their window first are forgotten first. */
const MOST_KEYS = 10_000

/** A key has sent more invalid requests than it may. */
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
 * Counts the requests of keys that were refused for what they say. The rate limit does not count them, and they take
 * time to read all the same. The count is of one process: it protects that one.
 */
export class RefusedRequests {
  readonly #windows = new Map<ApiKeyId, Window>()

  /** What refuses the next request of a key, before it is read. */
  refuse(key: ApiKey, now: Date): TooManyRefused | undefined {
    const window = this.#current(key.id, now)
    const limit = Math.max(LEAST_REFUSALS, key.rateLimit)
    if (!window || window.count < limit) return undefined
    return { type: 'too-many-refused', limit, retryAfterMs: window.start + RATE_WINDOW_MS - now.getTime() }
  }

  count(key: ApiKey, now: Date): void {
    const window = this.#current(key.id, now)
    if (window) {
      window.count += 1
      return
    }
    this.#windows.delete(key.id)
    this.#windows.set(key.id, { start: now.getTime(), count: 1 })
    if (this.#windows.size > MOST_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? key.id)
  }

  /** A window that seems to begin later than now is one of a clock that went back: it has ended. */
  #current(id: ApiKeyId, now: Date): Window | undefined {
    const window = this.#windows.get(id)
    const age = window ? now.getTime() - window.start : -1
    return age >= 0 && age < RATE_WINDOW_MS ? window : undefined
  }
}

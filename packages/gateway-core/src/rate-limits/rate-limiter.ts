import type { Promisable } from 'type-fest'
import type { ApiKeyId } from '../api-keys/api-key.ts'

/** The window that limits speak of. */
export const RATE_WINDOW_MS = 60_000

/** So much the clocks of replicas may differ: one that is late by more is another clock. */
export const CLOCK_SKEW_MS = 1_000

/**
 * Counts admissions so that no window of 60 seconds, wherever it begins, has more than `limit` of them, however many
 * processes share the store: a request is admitted when fewer than `limit` were admitted before, or the `limit`-th last
 * is at least {@link RATE_WINDOW_MS} old. So a ring of the last `limit` times is all that has to be kept.
 *
 * Refused requests do not count. A limit that changes is obeyed at once: what was admitted under the old limit counts.
 * Rejections mean that the store failed; whether an admission was counted is unknown then.
 *
 * A clock that is wrong costs one window at most. A `now` before the last admission by up to {@link CLOCK_SKEW_MS} counts
 * as that admission's time: clocks that differ by so little never admit more. A `now` that is before it by more is of
 * another clock, and one of the two is wrong. That clock begins at the time of the last admission and runs on from there, until
 * another clock admits: so both are limited together, it waits for a window at most, and nothing more is admitted. Where
 * nothing counts by then, the admissions begin again in its time. A `now` that is far ahead looks like that of a key that
 * was idle: it is admitted up to the limit once.
 */
export interface RateLimiter {
  /** Atomic: calls for one key, from any number of processes, are decided one after the other. */
  admit(keyId: ApiKeyId, limit: number, now: Date): Promisable<RateDecision>
  /** Tells without counting. */
  inspect(keyId: ApiKeyId, limit: number, now: Date): Promise<RateState>
}

/** Where a key stands in its window of 60 seconds. */
export interface RateState {
  /** At least 1. */
  readonly limit: number
  /** How many more would be admitted at this moment, after the one that was asked about; never negative. */
  readonly remaining: number
  /**
   * When the oldest of the last `limit` admissions leaves the window: after a refusal the first moment at which
   * a request is admitted again, on the clock of `now`. `now` where none of them is in the window.
   */
  readonly resetAt: Date
}

/** Whether a request was admitted, and the state after that. */
export interface RateDecision extends RateState {
  readonly admitted: boolean
}

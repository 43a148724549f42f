import type { Promisable } from 'type-fest'
import type { AccountId } from '../accounts/account-id.ts'

/** The window of rate limits: 60 seconds. */
export const RATE_WINDOW_MS = 60_000

/** The greatest difference between the clocks of replicas. A clock that is later counts as another clock. */
export const CLOCK_SKEW_MS = 1_000

/**
 * Counts admissions so that no 60 seconds contain more than `limit` of them, for any number of processes that share the
 * store. A request is admitted if fewer than `limit` were admitted before, or if the `limit`-th last admission is at least
 * {@link RATE_WINDOW_MS} old. A ring of the last `limit` times is therefore enough.
 *
 * Refused requests do not count. A changed limit applies immediately, and admissions under the old limit count. A method
 * rejects when the store has failed, and it is unknown then whether an admission was counted.
 *
 * A wrong clock affects at most one window. A `now` that is up to {@link CLOCK_SKEW_MS} before the last admission
 * counts as the time of that admission, so clocks that differ a little never admit more. An even earlier `now` comes
 * from another clock, and one of the two is wrong. That clock then counts from the time of the last admission until
 * another clock admits, so that both share the limit and an account waits at most one window. If no admission counts
 * by then, the counting starts again in the time of that clock. A `now` that is far ahead looks like an idle account,
 * and admits up to the limit once.
 */
export interface RateLimiter {
  /** Atomic: calls for one account, from any number of processes, are decided one after the other. */
  admit(id: AccountId, limit: number, now: Date): Promisable<RateDecision>
  /** Returns the state without counting. */
  inspect(id: AccountId, limit: number, now: Date): Promise<RateState>
}

/** The state of an account in its window of 60 seconds. */
export interface RateState {
  /** At least 1. */
  readonly limit: number
  /** How many more requests are admitted now, after this one. Never negative. */
  readonly remaining: number
  /**
   * The time at which the oldest of the last `limit` admissions leaves the window, on the clock of `now`. After a refusal, a
   * request is admitted again from this time on. Equals `now` where the window has no admissions.
   */
  readonly resetAt: Date
}

/** Whether a request was admitted, and the state after that. */
export interface RateDecision extends RateState {
  readonly admitted: boolean
}

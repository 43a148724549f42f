import type { Tagged } from 'type-fest'
import type { AccountId } from '../accounts/account-id.ts'
import type { TokenBudget } from '../api-keys/api-key.ts'

/** A UUID, or what the host's `newId` returns. Unique among all keys. */
export type ReservationId = Tagged<string, 'ReservationId'>

/**
 * Stores the tokens that accounts have used, in windows of the clock: minutes and days of UTC. A request reserves its
 * estimate and later settles its real use. If the process exits in between, the reservation counts until it expires.
 * A method rejects when the store has failed.
 *
 * A wrong clock affects at most one window. A `now` that is one window before the last settlement counts in the window of
 * that settlement, so clocks that differ a little never grant more. An even earlier `now` comes from another clock, and one
 * of the two is wrong. The tokens of the last settlement then count until the window of that `now` ends. After that, the
 * account uses the windows of that clock. A reservation that was made more than a minute after `now` does not count.
 */
export interface BudgetRepository {
  /**
   * Grants the reservation if, for every limit of `budget`, these together are within it: the tokens settled in the
   * window of `now`, the account's reservations that have not expired, and the new reservation. Atomic: reservations
   * of one account, from any number of processes, are decided one after the other.
   */
  reserve(reservation: Reservation, budget: TokenBudget, now: Date): Promise<BudgetDecision>
  /**
   * Removes the reservation, expired or not, and adds `tokens` (0 releases it) to the windows of `now`, in one atomic
   * step. An absent reservation is settled already, and nothing is added. Expired reservations are kept for at least a
   * day, so that a late settlement still counts.
   */
  settle(reservation: Pick<Reservation, 'id' | 'accountId'>, tokens: number, now: Date): Promise<void>
  /** Returns the state in the windows of `now` without changing it. All counts are 0 for an unknown account. */
  inspect(accountId: AccountId, now: Date): Promise<BudgetState>
}

/** Tokens that are reserved for a running request. */
export interface Reservation {
  readonly id: ReservationId
  readonly accountId: AccountId
  /** A whole number, at least 0. */
  readonly tokens: number
  /** The reservation no longer counts from this time on. */
  readonly expiresAt: Date
}

/** The tokens that an account has used. */
export interface BudgetState {
  /** Settled in the minute of `now`. */
  readonly minute: number
  /** Settled in the day of `now`. */
  readonly day: number
  /** Reserved and not expired. Counts in the minute and in the day. */
  readonly reserved: number
}

/** Whether the tokens were reserved. */
export type BudgetDecision =
  | { readonly granted: true }
  /** Nothing was reserved. `window` is the limit that refused. The day is checked before the minute. */
  | { readonly granted: false; readonly window: 'minute' | 'day'; readonly state: BudgetState }

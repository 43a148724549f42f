import type { Tagged } from 'type-fest'
import type { ApiKeyId, TokenBudget } from '../api-keys/api-key.ts'

/** A UUID unless the host makes ids of its own; unique among all keys. */
export type ReservationId = Tagged<string, 'ReservationId'>

/**
 * Keeps what keys have cost, in windows of the clock: minutes and days of UTC. A request reserves what it may cost
 * and settles what it did cost. A process that dies between the two leaves a reservation that counts until it expires.
 * Rejections mean that the store failed.
 *
 * A clock that is wrong costs one window at most. A `now` in the window before that of the last settlement counts as in
 * that one: clocks that differ by little never grant more. A `now` that is earlier is of another clock, and one of the two
 * is wrong: the tokens of the last settlement count until the window of that `now` ends, and its windows are the key's
 * from then on. A reservation that was made more than a minute after `now` does not count.
 */
export interface BudgetRepository {
  /**
   * Reserves where, for every limit of `budget`, the tokens settled in the window of `now`, those of the key's
   * reservations that have not expired, and these together stay within it. Atomic: reservations of one key, from any
   * number of processes, are decided one after the other.
   */
  reserve(reservation: Reservation, budget: TokenBudget, now: Date): Promise<BudgetDecision>
  /**
   * Takes the reservation away, expired or not, and adds `tokens` (0 releases it) to the windows of `now`: one atomic
   * step. A reservation that is not there is settled already: then nothing is added. Expired reservations are kept for
   * at least a day, so that a late settlement still counts.
   */
  settle(reservation: Pick<Reservation, 'id' | 'keyId'>, tokens: number, now: Date): Promise<void>
  inspect(keyId: ApiKeyId, now: Date): Promise<BudgetState>
}

/** Tokens held back for a request that runs. */
export interface Reservation {
  readonly id: ReservationId
  readonly keyId: ApiKeyId
  /** A whole number, at least 0. */
  readonly tokens: number
  /** From this moment on it no longer counts. */
  readonly expiresAt: Date
}

/** What a key has cost, in tokens. */
export interface BudgetState {
  /** Settled in the minute of `now`. */
  readonly minute: number
  /** Settled in the day of `now`. */
  readonly day: number
  /** Reserved and not expired: counts in both. */
  readonly reserved: number
}

/** Whether tokens were reserved. */
export type BudgetDecision =
  | { readonly granted: true }
  /** Nothing was reserved; `window` is the first limit that refuses, the day's before the minute's. */
  | { readonly granted: false; readonly window: 'minute' | 'day'; readonly state: BudgetState }

import type { Tagged } from 'type-fest'
import type { AccountId } from '../accounts/account-id.ts'
import type { Budget } from '../accounts/limits.ts'
import type { Nanodollars } from '../money/dollars.ts'

/** A UUID, or what the host's `newId` returns. Unique among all accounts. */
export type ReservationId = Tagged<string, 'ReservationId'>

/**
 * Stores what accounts have used, in tokens by the minute and the day of the clock, in money by the day, the month and in
 * all, of UTC. A request reserves the most that it can use in each of its accounts, and later settles its real use. A
 * method rejects when the store has failed.
 *
 * If the process exits in between, the reservation no longer counts for tokens and for requests at the same time once it
 * has expired. For money it counts until it is settled: the request may have spent it. {@link unfinished} finds it then.
 *
 * A wrong clock affects at most one window. A `now` that is one window before the last settlement counts in the window of
 * that settlement, so clocks that differ a little never grant more. An even earlier `now` comes from another clock, and one
 * of the two is wrong. The uses of the last settlement then count until the window of that `now` ends. After that, the
 * account uses the windows of that clock. A reservation that was made more than a minute after `now` counts for money only.
 */
export interface BudgetRepository {
  /**
   * Grants the reservation if it fits every limit of every account, and then stores it in all of them, else in none. For a
   * limit, these together have to be within it: what was settled in the window of `now`, the account's reservations that
   * count, and the new one. Atomic: reservations of one account, from any number of processes, are decided one after the
   * other. Rejects with a `RangeError` for tokens or a cost that are not whole numbers from 0 on, and so does `settle`.
   */
  reserve(reservation: Reservation, now: Date): Promise<BudgetDecision>
  /**
   * Removes the reservation, expired or not, adds the use to the windows of `now` in all its accounts, and stores the
   * receipt until it is confirmed, all in one atomic step. An absent reservation is settled already, and nothing is
   * changed.
   *
   * @returns whether this call has settled it
   */
  settle(reservation: ReservationKey, use: BudgetUse, now: Date): Promise<boolean>
  /** Moves the expiry of reservations. Absent ones are ignored. */
  renew(reservations: readonly ReservationKey[], expiresAt: Date): Promise<void>
  /** Removes receipts, whose records are stored elsewhere now. Absent ones are ignored. */
  confirm(ids: readonly ReservationId[]): Promise<void>
  /**
   * Returns at most `limit` reservations with a receipt that expired before `before`, and as many receipts that were
   * settled before `before` and are not confirmed, the oldest first.
   */
  unfinished(before: Date, limit: number): Promise<Unfinished>
  /** Returns the state in the windows of `now` without changing it. All counts are 0 for an unknown account. */
  inspect(accountId: AccountId, now: Date): Promise<BudgetState>
}

/** What a running request may use at most. */
export interface Reservation {
  readonly id: ReservationId
  /** Each account once, at least one and at most four. */
  readonly accounts: readonly BudgetedAccount[]
  /** A whole number, at least 0. */
  readonly tokens: number
  readonly cost: Nanodollars
  /** The reservation no longer counts for tokens and requests at the same time from this time on. */
  readonly expiresAt: Date
  /** A text of at most 8,192 characters, which is returned with the reservation where it is never settled. @default none */
  readonly receipt?: string
}

/** An account and its limits, which are checked and not stored. */
export interface BudgetedAccount {
  readonly id: AccountId
  readonly budget: Budget
}

/** A reservation and the accounts that it was made in. */
export interface ReservationKey {
  readonly id: ReservationId
  readonly accounts: readonly AccountId[]
}

/** What a request has really used. 0 of both releases the reservation. */
export interface BudgetUse {
  readonly tokens: number
  readonly cost: Nanodollars
  /** A text of at most 8,192 characters, which is kept until it is confirmed. @default none */
  readonly receipt?: string
}

/** What processes that have exited left behind. */
export interface Unfinished {
  readonly reservations: readonly ExpiredReservation[]
  readonly receipts: readonly KeptReceipt[]
}

/** A reservation that was never settled. */
export interface ExpiredReservation extends ReservationKey {
  readonly tokens: number
  readonly cost: Nanodollars
  readonly receipt: string
}

/** The receipt of a settlement. */
export interface KeptReceipt {
  readonly id: ReservationId
  readonly receipt: string
}

/** What an account has used. */
export interface BudgetState {
  /** Tokens settled in the minute of `now`. */
  readonly minute: number
  /** Tokens settled in the day of `now`. */
  readonly day: number
  /** Tokens reserved and not expired. They count in the minute and in the day. */
  readonly reserved: number
  /** Money settled in the day and the month of `now`, and in all. */
  readonly spent: Readonly<Record<'day' | 'month' | 'total', Nanodollars>>
  /** Money reserved, expired or not. It counts in each period. */
  readonly reservedCost: Nanodollars
  /** The number of reservations that have not expired. */
  readonly running: number
}

/** A limit that can refuse a reservation. */
export type BudgetLimit = 'minute' | 'day' | 'spend' | 'parallel'

/** Whether a reservation was made. */
export type BudgetDecision =
  | { readonly granted: true }
  /** Nothing was reserved. `limit` of the first account that refused, in the order of the reservation. */
  | {
      readonly granted: false
      readonly account: AccountId
      readonly limit: BudgetLimit
      /** The state of that account. */
      readonly state: BudgetState
    }

import type { Budget } from '../accounts/limits.ts'
import { addDollars, type Nanodollars, NO_DOLLARS } from '../money/dollars.ts'
import type { BudgetLimit, BudgetState, BudgetUse } from './budget-repository.ts'

/** What an account settled in its last windows with settlements. */
export interface BudgetAccount {
  /** The minute of the settled tokens, as the number of minutes since 1970. -1 where nothing was ever settled. */
  readonly minuteWindow: number
  /** The tokens settled in `minuteWindow`. */
  readonly minuteTokens: number
  /** How many windows the last used clock was before `minuteWindow`. 0 for one window or less. */
  readonly minuteShift: number
  /** The day of the settled tokens and money, as the number of days since 1970 in UTC. -1 where nothing was ever settled. */
  readonly dayWindow: number
  /** The tokens settled in `dayWindow`. */
  readonly dayTokens: number
  /** The money settled in `dayWindow`. */
  readonly daySpent: Nanodollars
  /** Like `minuteShift`, in days. */
  readonly dayShift: number
  /** The month of the settled money, as the number of months since 1970 in UTC. -1 where nothing was ever settled. */
  readonly monthWindow: number
  /** The money settled in `monthWindow`. */
  readonly monthSpent: Nanodollars
  /** Like `minuteShift`, in months. */
  readonly monthShift: number
  /** The money settled in all. */
  readonly totalSpent: Nanodollars
}

/** What the reservations of an account come to. */
export interface ReservedSums {
  /** Tokens of the reservations that count. */
  readonly tokens: number
  /** Money of all reservations, expired or not. */
  readonly cost: Nanodollars
  /** The number of the reservations that count. */
  readonly running: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long an expired reservation without a receipt is kept, so that a late settlement still counts: one day. */
export const EXPIRED_RESERVATION_MS: number = DAY_MS

/** The account of a key that has settled nothing. */
export const emptyBudgetAccount: BudgetAccount = {
  minuteWindow: -1,
  minuteTokens: 0,
  minuteShift: 0,
  dayWindow: -1,
  dayTokens: 0,
  daySpent: NO_DOLLARS,
  dayShift: 0,
  monthWindow: -1,
  monthSpent: NO_DOLLARS,
  monthShift: 0,
  totalSpent: NO_DOLLARS,
}

/** The sums of an account without reservations. */
export const noReservations: ReservedSums = { tokens: 0, cost: NO_DOLLARS, running: 0 }

/** Returns the numbers of the minute, the day and the month since 1970 in UTC. */
export const windowsOf = (now: Date): Readonly<Record<'minute' | 'day' | 'month', number>> => ({
  minute: Math.floor(now.getTime() / MINUTE_MS),
  day: Math.floor(now.getTime() / DAY_MS),
  month: (now.getUTCFullYear() - 1970) * 12 + now.getUTCMonth(),
})

/** Returns the account in the windows of `now`. The caller stores it if a shift has changed. */
export function currentAccount(account: BudgetAccount, now: Date): BudgetAccount {
  const windows = windowsOf(now)
  const minute = currentWindow(account.minuteWindow, account.minuteShift, windows.minute)
  const day = currentWindow(account.dayWindow, account.dayShift, windows.day)
  const month = currentWindow(account.monthWindow, account.monthShift, windows.month)
  return {
    minuteWindow: minute.window,
    minuteTokens: minute.isNew ? 0 : account.minuteTokens,
    minuteShift: minute.shift,
    dayWindow: day.window,
    dayTokens: day.isNew ? 0 : account.dayTokens,
    daySpent: day.isNew ? NO_DOLLARS : account.daySpent,
    dayShift: day.shift,
    monthWindow: month.window,
    monthSpent: month.isNew ? NO_DOLLARS : account.monthSpent,
    monthShift: month.shift,
    totalSpent: account.totalSpent,
  }
}

/** Whether {@link currentAccount} has to be stored. */
export const hasNewShift = (before: BudgetAccount, current: BudgetAccount): boolean =>
  before.minuteShift !== current.minuteShift ||
  before.dayShift !== current.dayShift ||
  before.monthShift !== current.monthShift

/**
 * Returns whether a reservation counts for tokens and requests at the same time. One that was made more than a minute
 * after `now` comes from a wrong clock and would count too long.
 */
export const reservationCounts = (
  { madeAt, expiresAt }: { readonly madeAt: Date; readonly expiresAt: Date },
  now: Date,
): boolean => expiresAt > now && madeAt <= latestPlausibleTime(now)

/** Returns `now` plus one minute. A reservation that was made later than that comes from a wrong clock. */
export const latestPlausibleTime = (now: Date): Date => new Date(now.getTime() + MINUTE_MS)

/** Returns the state of an account in the windows of `now`. */
export function budgetStateOf(account: BudgetAccount, reserved: ReservedSums, now: Date): BudgetState {
  const { minuteTokens, dayTokens, daySpent, monthSpent, totalSpent } = currentAccount(account, now)
  return {
    minute: minuteTokens,
    day: dayTokens,
    reserved: reserved.tokens,
    spent: { day: daySpent, month: monthSpent, total: totalSpent },
    reservedCost: reserved.cost,
    running: reserved.running,
  }
}

/** Returns the limit that refuses a reservation. An exceeded limit also refuses 0 tokens, and 0 dollars. */
export function refusingLimit(
  state: BudgetState,
  { tokens, cost }: Pick<BudgetUse, 'tokens' | 'cost'>,
  { tokensPerMinute, tokensPerDay, spend, parallel }: Budget,
): BudgetLimit | undefined {
  const required = state.reserved + tokens
  if (spend && state.spent[spend.period] + state.reservedCost + cost > spend.most) return 'spend'
  if (tokensPerDay !== undefined && state.day + required > tokensPerDay) return 'day'
  if (tokensPerMinute !== undefined && state.minute + required > tokensPerMinute) return 'minute'
  return parallel !== undefined && state.running >= parallel ? 'parallel' : undefined
}

/**
 * Checks what is reserved or settled: less than 0 would make more available than there is.
 *
 * @throws RangeError for a count that is not a whole number from 0 on
 */
export function checkBudgetUse({ tokens, cost }: Pick<BudgetUse, 'tokens' | 'cost'>): void {
  if (!isWhole(tokens) || !isWhole(cost)) {
    throw new RangeError(`A request cannot use ${tokens} tokens and ${cost} billionths of a dollar.`)
  }
}

const isWhole = (count: number): boolean => Number.isSafeInteger(count) && count >= 0

/** Returns the account after a settlement. A late clock adds to the windows that were settled last. */
export function settledAccount(
  account: BudgetAccount,
  { tokens, cost }: Pick<BudgetUse, 'tokens' | 'cost'>,
  now: Date,
): BudgetAccount {
  const current = currentAccount(account, now)
  return {
    ...current,
    minuteTokens: current.minuteTokens + tokens,
    dayTokens: current.dayTokens + tokens,
    daySpent: addDollars(current.daySpent, cost),
    monthSpent: addDollars(current.monthSpent, cost),
    totalSpent: addDollars(current.totalSpent, cost),
  }
}

interface CurrentWindow {
  readonly window: number
  readonly shift: number
  /** Whether what was settled counts no longer. */
  readonly isNew: boolean
}

/**
 * A clock that is one window late counts in the stored window. An earlier clock counts there too, but only until its own
 * window ends. Then the account starts again at 0 in the window of that clock.
 */
function currentWindow(window: number, shift: number, current: number): CurrentWindow {
  const late = window - current
  if (late < 0 || (late > 0 && shift > late)) return { window: current, shift: 0, isNew: true }
  return { window, shift: late > 1 ? late : 0, isNew: false }
}

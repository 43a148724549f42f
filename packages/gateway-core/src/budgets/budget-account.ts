import type { TokenBudget } from '../api-keys/api-key.ts'
import type { BudgetDecision, BudgetState } from './budget-repository.ts'

/** The tokens that a key settled in its last minute and its last day with settlements. */
export interface BudgetAccount {
  /** The minute of the settled tokens, as the number of minutes since 1970. -1 where nothing was ever settled. */
  readonly minuteWindow: number
  /** The tokens settled in `minuteWindow`. */
  readonly minuteTokens: number
  /** How many windows the last used clock was before `minuteWindow`. 0 for one window or less. */
  readonly minuteShift: number
  /** The day of the settled tokens, as the number of days since 1970 in UTC. -1 where nothing was ever settled. */
  readonly dayWindow: number
  /** The tokens settled in `dayWindow`. */
  readonly dayTokens: number
  /** Like `minuteShift`, in days. */
  readonly dayShift: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long an expired reservation is kept, so that a late settlement still counts: one day. */
export const EXPIRED_RESERVATION_MS: number = DAY_MS

/** The account of a key that has settled nothing. */
export const emptyBudgetAccount: BudgetAccount = {
  minuteWindow: -1,
  minuteTokens: 0,
  minuteShift: 0,
  dayWindow: -1,
  dayTokens: 0,
  dayShift: 0,
}

/** Returns the account in the windows of `now`. The caller stores it if a shift has changed. */
export function currentAccount(account: BudgetAccount, now: Date): BudgetAccount {
  const { minuteWindow, minuteTokens, minuteShift, dayWindow, dayTokens, dayShift } = account
  const minute = currentWindow({ window: minuteWindow, tokens: minuteTokens, shift: minuteShift }, now, MINUTE_MS)
  const day = currentWindow({ window: dayWindow, tokens: dayTokens, shift: dayShift }, now, DAY_MS)
  return {
    minuteWindow: minute.window,
    minuteTokens: minute.tokens,
    minuteShift: minute.shift,
    dayWindow: day.window,
    dayTokens: day.tokens,
    dayShift: day.shift,
  }
}

/**
 * Returns whether a reservation counts. One that was made more than a minute after `now` comes from a wrong clock and
 * would count too long.
 */
export const reservationCounts = (
  { madeAt, expiresAt }: { readonly madeAt: Date; readonly expiresAt: Date },
  now: Date,
): boolean => expiresAt > now && madeAt <= latestPlausibleTime(now)

/** Returns `now` plus one minute. A reservation that was made later than that comes from a wrong clock. */
export const latestPlausibleTime = (now: Date): Date => new Date(now.getTime() + MINUTE_MS)

/** Returns the state of an account in the windows of `now`. @param reserved the tokens of the reservations that count */
export function budgetStateOf(account: BudgetAccount, reserved: number, now: Date): BudgetState {
  const { minuteTokens: minute, dayTokens: day } = currentAccount(account, now)
  return { minute, day, reserved }
}

/** Decides whether `tokens` more can be reserved. An exceeded limit also refuses 0 tokens. */
export function decideReservation(
  state: BudgetState,
  tokens: number,
  { tokensPerMinute = Number.POSITIVE_INFINITY, tokensPerDay = Number.POSITIVE_INFINITY }: TokenBudget,
): BudgetDecision {
  const required = state.reserved + tokens
  if (state.day + required > tokensPerDay) return { granted: false, window: 'day', state }
  if (state.minute + required > tokensPerMinute) return { granted: false, window: 'minute', state }
  return { granted: true }
}

/** Returns the account after a settlement. A late clock adds to the windows that were settled last. */
export function settledAccount(account: BudgetAccount, tokens: number, now: Date): BudgetAccount {
  const current = currentAccount(account, now)
  return { ...current, minuteTokens: current.minuteTokens + tokens, dayTokens: current.dayTokens + tokens }
}

interface Window {
  readonly window: number
  readonly tokens: number
  readonly shift: number
}

/**
 * A clock that is one window late counts in the stored window. An earlier clock counts there too, but only until its own
 * window ends. Then the account starts again at 0 in the window of that clock.
 */
function currentWindow({ window, tokens, shift }: Window, now: Date, length: number): Window {
  const current = Math.floor(now.getTime() / length)
  const late = window - current
  if (late < 0) return { window: current, tokens: 0, shift: 0 }
  if (late > 0 && shift > late) return { window: current, tokens: 0, shift: 0 }
  return { window, tokens, shift: late > 1 ? late : 0 }
}

import type { TokenBudget } from '../api-keys/api-key.ts'
import type { BudgetDecision, BudgetState } from './budget-repository.ts'

/** What a key has settled in the last minute and the last day in which it settled anything. */
export interface BudgetAccount {
  /** Windows are numbered since 1970; -1 where nothing was ever settled. */
  readonly minuteWindow: number
  readonly minuteTokens: number
  /** By how many windows the account is ahead of the clock that used it last; 0 where that is not late. */
  readonly minuteShift: number
  readonly dayWindow: number
  readonly dayTokens: number
  readonly dayShift: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long an expired reservation is kept, so that a late settlement still counts. */
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

/** The account in the windows of `now`. Where a shift changes, it is to be kept: from then on that clock runs on. */
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
 * Whether a reservation counts. One that was made more than a minute after `now` was made by a clock that was wrong, and
 * would count for as long as that was.
 */
export const reservationCounts = (
  { madeAt, expiresAt }: { readonly madeAt: Date; readonly expiresAt: Date },
  now: Date,
): boolean => expiresAt > now && madeAt <= latestBelieved(now)

/** What claims to be of a later time than this is of a clock that was wrong. */
export const latestBelieved = (now: Date): Date => new Date(now.getTime() + MINUTE_MS)

/** The state of an account in the windows of `now`. @param reserved the tokens of reservations that count */
export function budgetStateOf(account: BudgetAccount, reserved: number, now: Date): BudgetState {
  const { minuteTokens: minute, dayTokens: day } = currentAccount(account, now)
  return { minute, day, reserved }
}

/** Whether `tokens` more can be reserved. A limit that is used up also refuses what costs nothing. */
export function decideReservation(
  state: BudgetState,
  tokens: number,
  { tokensPerMinute = Number.POSITIVE_INFINITY, tokensPerDay = Number.POSITIVE_INFINITY }: TokenBudget,
): BudgetDecision {
  const wanted = state.reserved + tokens
  if (state.day + wanted > tokensPerDay) return { granted: false, window: 'day', state }
  if (state.minute + wanted > tokensPerMinute) return { granted: false, window: 'minute', state }
  return { granted: true }
}

/** The account after a settlement. A late clock adds to the windows that were settled last. */
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
 * A clock that is in the window before counts as in the one that is kept. One that is earlier than that runs beside it,
 * and once its own window has ended the account begins again in its time.
 */
function currentWindow({ window, tokens, shift }: Window, now: Date, length: number): Window {
  const current = Math.floor(now.getTime() / length)
  const late = window - current
  if (late < 0) return { window: current, tokens: 0, shift: 0 }
  if (late > 0 && shift > late) return { window: current, tokens: 0, shift: 0 }
  return { window, tokens, shift: late > 1 ? late : 0 }
}

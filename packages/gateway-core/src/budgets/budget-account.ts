import type { TokenBudget } from '../api-keys/api-key.ts'
import type { BudgetDecision, BudgetState } from './budget-repository.ts'

/** What a key has settled in the last minute and the last day in which it settled anything. */
export interface BudgetAccount {
  /** Windows are numbered since 1970; -1 where nothing was ever settled. */
  readonly minuteWindow: number
  readonly minuteTokens: number
  readonly dayWindow: number
  readonly dayTokens: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long an expired reservation is kept, so that a late settlement still counts. */
export const EXPIRED_RESERVATION_MS: number = DAY_MS

/** The account of a key that has settled nothing. */
export const emptyBudgetAccount: BudgetAccount = { minuteWindow: -1, minuteTokens: 0, dayWindow: -1, dayTokens: 0 }

/** The state of an account in the windows of `now`. @param reserved the tokens of reservations that have not expired */
export const budgetStateOf = (account: BudgetAccount, reserved: number, now: Date): BudgetState => ({
  minute: account.minuteWindow < windowOf(now, MINUTE_MS) ? 0 : account.minuteTokens,
  day: account.dayWindow < windowOf(now, DAY_MS) ? 0 : account.dayTokens,
  reserved,
})

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

/** The account after a settlement. A clock that is late adds to the windows that were settled last. */
export function settledAccount(account: BudgetAccount, tokens: number, now: Date): BudgetAccount {
  const minuteWindow = Math.max(account.minuteWindow, windowOf(now, MINUTE_MS))
  const dayWindow = Math.max(account.dayWindow, windowOf(now, DAY_MS))
  return {
    minuteWindow,
    minuteTokens: tokens + (minuteWindow === account.minuteWindow ? account.minuteTokens : 0),
    dayWindow,
    dayTokens: tokens + (dayWindow === account.dayWindow ? account.dayTokens : 0),
  }
}

const windowOf = (now: Date, length: number): number => Math.floor(now.getTime() / length)

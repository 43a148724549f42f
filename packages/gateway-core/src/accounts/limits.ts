import { type Changes, withChanges } from '../changes.ts'
import type { Nanodollars } from '../money/dollars.ts'

/** The most that an account may use. An absent limit is unlimited. */
export interface Budget extends TokenBudget {
  /** The most money. @default unlimited */
  readonly spend?: SpendLimit
  /** The most requests that run at the same time. @default unlimited */
  readonly parallel?: number
}

/** The most tokens that an account may use, input and output together. An absent limit is unlimited. */
export interface TokenBudget {
  /** Per minute of the clock. @default unlimited */
  readonly tokensPerMinute?: number
  /** Per day, which begins at midnight UTC. @default unlimited */
  readonly tokensPerDay?: number
}

/** The most money that an account may spend. */
export interface SpendLimit {
  readonly most: Nanodollars
  readonly period: SpendPeriod
}

/** A day or a month of UTC, or all time. */
export type SpendPeriod = 'day' | 'month' | 'total'

/** Changes of a budget. Absent limits are kept, and `null` removes one. A spend limit keeps its period or its amount where the other
 * is given alone. Without an amount there is no spend limit. */
export interface BudgetChanges extends Changes<Omit<Budget, 'spend'>> {
  readonly spend?:
    | { readonly most?: SpendLimit['most'] | undefined; readonly period?: SpendLimit['period'] | undefined }
    | null
    | undefined
}

/** Returns a budget with changes. */
export function changedBudget(budget: Budget, { spend, ...others }: BudgetChanges = {}): Budget {
  const period = spend?.period ?? budget.spend?.period ?? 'total'
  const most = spend?.most ?? budget.spend?.most
  return withChanges(budget, { ...others, spend: spend ? (most === undefined ? undefined : { most, period }) : spend })
}

import { type Account, holderOf } from '../accounts/account.ts'
import type { Budget, SpendPeriod } from '../accounts/limits.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { BudgetError } from './budget-error.ts'
import type { BudgetLimit, BudgetState } from './budget-repository.ts'

/** What a request may use at most. */
export interface MostUse {
  /** Input and output together. */
  readonly tokens: number
  readonly cost: Nanodollars
}

/** Returns the error of a request that a limit can never fit; `undefined` where waiting may help. */
export function excessOf(account: Account, { tokens, cost }: MostUse): BudgetError | undefined {
  const { tokensPerMinute, tokensPerDay, spend } = account.budget
  if (tokensPerMinute !== undefined && tokens > tokensPerMinute) {
    return { type: 'tokens-exceed-limit', window: 'minute', limit: tokensPerMinute, tokens }
  }
  if (tokensPerDay !== undefined && tokens > tokensPerDay) {
    return { type: 'tokens-exceed-limit', window: 'day', limit: tokensPerDay, tokens }
  }
  if (!spend || cost <= spend.most) return undefined
  const { period, most: limit } = spend
  return { type: 'cost-exceeds-limit', holder: holderOf(account.id), period, limit, cost }
}

/** Returns the error for the limit that has refused. */
export function refusalOf(
  account: Account,
  limit: BudgetLimit,
  state: BudgetState,
  { most, at }: { readonly most: MostUse; readonly at: Date },
): BudgetError {
  const holder = holderOf(account.id)
  const { budget } = account
  switch (limit) {
    case 'parallel':
      return { type: 'parallel-exceeded', holder, limit: budget.parallel ?? 0 }
    case 'spend': {
      const { most: spendLimit = state.reservedCost, period = 'total' } = budget.spend ?? {}
      return {
        type: 'spend-exceeded',
        holder,
        period,
        limit: spendLimit,
        left: leftOf(budget, state),
        cost: most.cost,
        ...(period === 'total' ? {} : resetOf(period, at)),
      }
    }
    case 'minute':
    case 'day':
      return {
        type: 'budget-exceeded',
        holder,
        window: limit,
        limit: (limit === 'day' ? budget.tokensPerDay : budget.tokensPerMinute) ?? 0,
        ...resetOf(limit, at),
      }
  }
}

/** Returns the money of a limit that is neither spent nor reserved. */
export function leftOf({ spend }: Budget, state: BudgetState): Nanodollars {
  const left = spend ? spend.most - state.spent[spend.period] - state.reservedCost : 0
  return Math.max(0, left) as Nanodollars // a difference of whole numbers
}

/** Returns when the window of the clock ends. */
function resetOf(window: 'minute' | Exclude<SpendPeriod, 'total'>, at: Date) {
  const end = window === 'month' ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) : endOf(at, lengths[window])
  return { retryAfterSeconds: Math.ceil((end - at.getTime()) / 1000), resetsAt: new Date(end) }
}

const endOf = (at: Date, length: number): number => (Math.floor(at.getTime() / length) + 1) * length

const lengths = { minute: 60_000, day: 86_400_000 }

import type { Budget } from '../../accounts/limits.ts'
import { failure } from '../errors/failure.ts'
import type { WireTerms } from './terms-wire.ts'

/** A change of the period of a budget, without an amount that could have it. */
export interface AmountAbsent {
  readonly type: 'amount-absent'
}

/** Whether a change has a period, but neither it nor what is stored has an amount. */
export const lacksAmount = ({ max_budget, budget_period }: WireTerms, { spend }: Budget): boolean =>
  typeof budget_period === 'string' && max_budget === undefined && !spend

export const amountAbsent = failure(400, "Invalid 'budget_period': needs an amount in 'max_budget'.", {
  param: 'budget_period',
  code: 'invalid_value',
})

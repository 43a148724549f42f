import type { SpendPeriod } from '../accounts/limits.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { PolicyHolder } from '../policies/policy-decisions.ts'
import type { UsageRecord } from '../usage/usage-record.ts'

/** Why the use of a request could not be reserved. */
export type BudgetError =
  | {
      readonly type: 'budget-exceeded'
      readonly holder: PolicyHolder
      readonly window: 'minute' | 'day'
      readonly limit: number
      readonly retryAfterSeconds: number
      /** When the window ends. */
      readonly resetsAt: Date
    }
  /** The limit of a window is less than the tokens that this one request may use, so waiting does not help. */
  | {
      readonly type: 'tokens-exceed-limit'
      readonly window: 'minute' | 'day'
      readonly limit: number
      readonly tokens: number
      /** The field of the request that limits its output. Absent for requests without one. */
      readonly param?: string
    }
  | {
      readonly type: 'spend-exceeded'
      readonly holder: PolicyHolder
      readonly period: SpendPeriod
      readonly limit: Nanodollars
      /** What is neither spent nor reserved. */
      readonly left: Nanodollars
      /** The most that the request can cost. */
      readonly cost: Nanodollars
      /** Absent for a limit in all. */
      readonly retryAfterSeconds?: number
      /** When the period ends. Absent for a limit in all. */
      readonly resetsAt?: Date
    }
  /** The request can cost more than the whole limit of a period, so waiting does not help. */
  | {
      readonly type: 'cost-exceeds-limit'
      readonly holder: PolicyHolder
      readonly period: SpendPeriod
      readonly limit: Nanodollars
      readonly cost: Nanodollars
      /** The field of the request that limits its output. Absent for requests without one. */
      readonly param?: string
      /** What the request is for. @default a conversation */
      readonly operation?: UsageRecord['operation']
    }
  /** The caller may spend only so much, and the price of the model is not known. */
  | {
      readonly type: 'model-not-priced'
      /** As the client names it. */
      readonly model: string
      /** The model without a price, `provider/model`, to which it leads. Not for clients. */
      readonly target?: string
    }
  /** The caller may spend only so much, and what the request costs is known only after it. */
  | {
      readonly type: 'cost-unbounded'
      /** The field that has no bound. Absent where the whole operation has none. */
      readonly param?: string
    }
  | { readonly type: 'parallel-exceeded'; readonly holder: PolicyHolder; readonly limit: number }
  /** The store has failed, and the gateway is configured to refuse then. */
  | { readonly type: 'limits-unavailable' }

/** Limits that are used up, so that the same request may be admitted later. */
export type BudgetExceeded = Extract<BudgetError, { readonly type: (typeof exceeding)[number] }>

const exceeding = ['budget-exceeded', 'spend-exceeded', 'parallel-exceeded'] as const

export const isExceeded = (error: BudgetError): error is BudgetExceeded => exceeding.some((type) => type === error.type)

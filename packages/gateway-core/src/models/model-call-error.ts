import type { BudgetError } from '../budgets/token-budgets.ts'
import type { ProviderError } from '../providers/provider-error.ts'
import type { LimitError } from '../rate-limits/request-limits.ts'
import type { ModelError } from './models.ts'

/** Why a request to a model has no answer. */
export type ModelCallError =
  | ModelError
  | LimitError
  | BudgetError
  /** No upstream answered; `provider` is the one whose error this is. */
  | { readonly type: 'upstream-failed'; readonly provider: string | undefined; readonly error: ProviderError }

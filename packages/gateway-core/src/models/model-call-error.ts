import type { BudgetError } from '../budgets/budget-error.ts'
import type { GuardrailError } from '../guardrails/guardrail-error.ts'
import type { ModelNotAllowed } from '../policies/policy-decisions.ts'
import type { ProviderError } from '../providers/provider-error.ts'
import type { LimitError } from '../rate-limits/request-limits.ts'
import type { ModelError } from './models.ts'

/** Why a request to a model failed. */
export type ModelCallError =
  | ModelError
  | ModelNotAllowed
  | LimitError
  | BudgetError
  | GuardrailError
  /** No upstream answered. `error` is the one of `provider`. */
  | { readonly type: 'upstream-failed'; readonly provider: string | undefined; readonly error: ProviderError }

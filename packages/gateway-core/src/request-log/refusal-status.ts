import type { ModelCallError } from '../models/model-call-error.ts'
import type { PolicyRefusal } from '../policies/policy-decisions.ts'

/** Why a request was refused before any upstream was called. */
export type Refusal = Exclude<ModelCallError, { readonly type: 'upstream-failed' }> | PolicyRefusal

/** The status that a client gets for each refusal. */
export const refusalStatus: Readonly<Record<Refusal['type'], number>> = {
  'model-not-found': 404,
  'model-kind-mismatch': 400,
  'model-not-allowed': 403,
  'endpoint-not-allowed': 403,
  'address-not-allowed': 403,
  'rate-limited': 429,
  'limits-unavailable': 503,
  'budget-exceeded': 429,
  'tokens-exceed-limit': 400,
  'spend-exceeded': 429,
  'cost-exceeds-limit': 400,
  'model-not-priced': 400,
  'cost-unbounded': 400,
  'parallel-exceeded': 429,
  'guardrail-blocked': 400,
  'guardrail-failed': 503,
  'guardrail-unchecked': 400,
}

import type { Budget, BudgetChanges, SpendPeriod } from '../../accounts/limits.ts'
import { leftOf } from '../../budgets/budget-refusal.ts'
import type { BudgetState } from '../../budgets/budget-repository.ts'
import type { Changes } from '../../changes.ts'
import { formatDollars, NO_DOLLARS, parseDollars } from '../../money/dollars.ts'
import type { Labels, Policy } from '../../policies/policy.ts'

/** The checked fields of a request, of which `null` and absent ones are not set. */
export interface WireTerms {
  readonly tokens_per_minute?: number | null
  readonly tokens_per_day?: number | null
  readonly max_budget?: string | number | null
  readonly budget_period?: SpendPeriod | null
  readonly max_parallel_requests?: number | null
  readonly models?: readonly string[] | null
  readonly denied_models?: readonly string[] | null
  readonly endpoints?: readonly string[] | null
  readonly ip_ranges?: readonly string[] | null
  readonly disabled?: boolean | null
  readonly tags?: readonly string[] | null
  readonly metadata?: Readonly<Record<string, string>> | null
}

export const toBudgetChanges = (body: WireTerms): BudgetChanges => ({
  tokensPerMinute: body.tokens_per_minute,
  tokensPerDay: body.tokens_per_day,
  spend: spendOf(body),
  parallel: body.max_parallel_requests,
})

function spendOf({ max_budget, budget_period }: WireTerms): BudgetChanges['spend'] {
  if (max_budget === undefined && budget_period) return { period: budget_period }
  if (max_budget === undefined || max_budget === null) return max_budget
  const most = parseDollars(max_budget)
  // The schema has checked the amount.
  return most === undefined ? undefined : { most, period: budget_period ?? undefined }
}

export const toPolicyChanges = (body: WireTerms): Changes<Policy> => ({
  models: body.models,
  deniedModels: body.denied_models,
  endpoints: body.endpoints,
  ipRanges: body.ip_ranges,
  disabled: body.disabled,
})

export const toLabelChanges = ({ tags, metadata }: WireTerms): Changes<Labels> => ({ tags, metadata })

/** Returns the fields that report the terms of a key, a team or a user. */
export const termsToWire = ({
  budget,
  policy,
  tags,
  metadata,
}: Labels & { readonly budget: Budget; readonly policy: Policy }) => ({
  tokens_per_minute: budget.tokensPerMinute ?? null,
  tokens_per_day: budget.tokensPerDay ?? null,
  max_budget: budget.spend ? formatDollars(budget.spend.most) : null,
  budget_period: budget.spend?.period ?? null,
  max_parallel_requests: budget.parallel ?? null,
  models: listed(policy.models),
  denied_models: listed(policy.deniedModels),
  endpoints: listed(policy.endpoints),
  ip_ranges: listed(policy.ipRanges),
  disabled: policy.disabled ?? false,
  tags: [...(tags ?? [])],
  metadata: { ...metadata },
})

/** Returns the fields that report what an account has used. @param state `undefined` for a caller without an account */
export const useToWire = (budget: Budget, state: BudgetState | undefined) => ({
  tokens_used_minute: state?.minute ?? 0,
  tokens_used_day: state?.day ?? 0,
  spent: formatDollars(state?.spent[budget.spend?.period ?? 'total'] ?? NO_DOLLARS),
  remaining_budget: budget.spend && state ? formatDollars(leftOf(budget, state)) : null,
  running_requests: state?.running ?? 0,
})

const listed = (list: readonly string[] | undefined): string[] | null => (list ? [...list] : null)

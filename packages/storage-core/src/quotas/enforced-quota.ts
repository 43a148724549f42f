import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { QuotaTarget } from '../quota-rules/quota-target.ts'

/**
 * A rule as a volume enforces it: a copy from when quotas were switched on or the rule was last resized. It outlives
 * its rule where only switching quotas off and on can end it.
 */
export interface EnforcedQuota {
  readonly rule: QuotaRuleId
  readonly target: QuotaTarget
  readonly limits: QuotaLimits
  readonly userMapping?: boolean
}

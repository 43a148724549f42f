import { hasSoftLimit, type QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { QuotaTarget } from '../quota-rules/quota-target.ts'

/**
 * A copy of a rule as a volume enforces it, from the time when quotas were switched on or the rule was last resized. It
 * stays after the deletion of its rule when only switching quotas off and on can end it.
 */
export interface EnforcedQuota {
  /** The rule, which may no longer exist. */
  readonly rule: QuotaRuleId
  readonly target: QuotaTarget
  readonly limits: QuotaLimits
  /** That of the rule at the time of the copy. */
  readonly userMapping?: boolean
  /** In seconds. That of the rule. @default that of the volume */
  readonly gracePeriodSeconds?: number
  /** Those of the rule. */
  readonly thresholds?: readonly number[]
}

/** Whether the usage is compared with marks below the hard limits. */
export const isWatched = ({ limits, thresholds = [] }: EnforcedQuota): boolean =>
  hasSoftLimit(limits) || (thresholds.length > 0 && Object.keys(limits).length > 0)

/** Whether numbers of files are compared. */
export const watchesFiles = ({ limits, thresholds = [] }: EnforcedQuota): boolean =>
  limits.filesSoft !== undefined || (thresholds.length > 0 && limits.filesHard !== undefined)

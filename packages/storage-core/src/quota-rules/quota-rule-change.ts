import { changeLimits, type QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule } from './quota-rule.ts'

/** A change of a rule. Absent members stay unchanged. */
export interface QuotaRuleChange {
  /** The limits to set or, by `null`, to remove. The others stay unchanged. */
  readonly limits?: QuotaLimitsChange
  /** Replaces {@link QuotaRule.userMapping}. For user rules only. */
  readonly userMapping?: boolean
  /** Replaces {@link QuotaRule.gracePeriodSeconds}. `null` removes it. */
  readonly gracePeriodSeconds?: number | null
  /** Replaces {@link QuotaRule.thresholds}, in any order and without repetitions. An empty list removes them. */
  readonly thresholds?: readonly number[]
}

/** Returns a rule with a change applied. */
export function changeRule(rule: QuotaRule, change: QuotaRuleChange): QuotaRule {
  const { gracePeriodSeconds: oldPeriod, thresholds: oldThresholds, ...kept } = rule
  const { limits = {}, userMapping, gracePeriodSeconds = oldPeriod, thresholds = oldThresholds } = change
  return {
    ...kept,
    ...(userMapping !== undefined && { userMapping }),
    limits: changeLimits(rule.limits, limits),
    ...(gracePeriodSeconds !== undefined && gracePeriodSeconds !== null && { gracePeriodSeconds }),
    ...(thresholds !== undefined &&
      thresholds.length > 0 && { thresholds: thresholds.toSorted((one, other) => one - other) }),
  }
}

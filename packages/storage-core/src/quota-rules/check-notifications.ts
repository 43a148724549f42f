import { err, ok, type Result } from 'neverthrow'
import type { QuotaLimits } from './quota-limits.ts'
import { hasSoftLimit } from './quota-limits.ts'
import type { QuotaRuleChange } from './quota-rule-change.ts'

/** The most seconds of a grace period: 10 years of 365 days. */
export const MAXIMUM_GRACE_SECONDS = 315_360_000

/** The most thresholds of a rule. */
export const MAXIMUM_THRESHOLDS = 10

/** Why a grace period or thresholds are refused. */
export type NotificationError =
  | { readonly type: 'grace-period-out-of-range'; readonly seconds: number }
  | { readonly type: 'grace-period-without-soft-limit' }
  | { readonly type: 'thresholds-without-limit' }
  | { readonly type: 'repeated-threshold'; readonly percent: number }

/** Checks what a request sets, against the limits that the rule then has unless it may be without them. */
export function checkNotifications(
  { gracePeriodSeconds, thresholds = [] }: Pick<QuotaRuleChange, 'gracePeriodSeconds' | 'thresholds'>,
  limits: QuotaLimits | undefined,
): Result<void, NotificationError> {
  const period = checkGracePeriod(gracePeriodSeconds)
  if (period.isErr()) return err(period.error)
  if (typeof gracePeriodSeconds === 'number' && limits && !hasSoftLimit(limits))
    return err({ type: 'grace-period-without-soft-limit' })
  const repeated = thresholds.find((percent, index) => thresholds.indexOf(percent) !== index)
  if (repeated !== undefined) return err({ type: 'repeated-threshold', percent: repeated })
  if (thresholds.length > 0 && limits && Object.keys(limits).length === 0)
    return err({ type: 'thresholds-without-limit' })
  return ok()
}

export function checkGracePeriod(
  seconds: number | null | undefined,
): Result<void, Extract<NotificationError, { type: 'grace-period-out-of-range' }>> {
  if (typeof seconds !== 'number' || (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAXIMUM_GRACE_SECONDS))
    return ok()
  return err({ type: 'grace-period-out-of-range', seconds })
}

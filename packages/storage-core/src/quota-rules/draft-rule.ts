import type { Result } from 'neverthrow'
import { checkSoftLimits, type LimitError, normalizeLimits } from './check-limits.ts'
import { checkNotifications, type NotificationError } from './check-notifications.ts'
import { checkTarget, type TargetError, type TargetRequest } from './check-target.ts'
import { changeLimits, type QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule } from './quota-rule.ts'
import type { QuotaRuleChange } from './quota-rule-change.ts'

/** The parts of a rule that its request decides about. */
export type RuleDraft = Pick<QuotaRule, 'target' | 'userMapping' | 'limits' | 'gracePeriodSeconds' | 'thresholds'>

interface DraftRequest extends TargetRequest, Pick<QuotaRuleChange, 'gracePeriodSeconds' | 'thresholds'> {
  readonly limits?: QuotaLimitsChange
}

/**
 * Checks what a request to create a rule asks for. Absent limits are not set.
 *
 * @param canLackLimits whether a grace period and thresholds may be without limits, as after a change that removed those
 */
export const draftRule = (
  request: DraftRequest,
  { canLackLimits = false } = {},
): Result<RuleDraft, TargetError | LimitError | NotificationError> =>
  checkTarget(request).andThen((target) =>
    normalizeLimits(request.limits ?? {})
      .map((change) => changeLimits({}, change))
      .andThen(checkSoftLimits)
      .andThen((limits) =>
        checkNotifications(request, canLackLimits ? undefined : limits).map(() => {
          const { userMapping, gracePeriodSeconds, thresholds = [] } = request
          return {
            target,
            ...(userMapping !== undefined && { userMapping }),
            limits,
            ...(typeof gracePeriodSeconds === 'number' && { gracePeriodSeconds }),
            ...(thresholds.length > 0 && { thresholds: thresholds.toSorted((one, other) => one - other) }),
          }
        }),
      ),
  )

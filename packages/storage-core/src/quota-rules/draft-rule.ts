import type { Result } from 'neverthrow'
import { checkSoftLimits, type LimitError, normalizeLimits } from './check-limits.ts'
import { checkTarget, type TargetError, type TargetRequest } from './check-target.ts'
import { changeLimits, type QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule } from './quota-rule.ts'

/** The parts of a rule that its request decides about. */
export type RuleDraft = Pick<QuotaRule, 'target' | 'userMapping' | 'limits'>

/** Checks what a request to create a rule asks for. Absent limits are not set. */
export const draftRule = (
  request: TargetRequest & { readonly limits?: QuotaLimitsChange },
): Result<RuleDraft, TargetError | LimitError> =>
  checkTarget(request).andThen((target) =>
    normalizeLimits(request.limits ?? {})
      .map((change) => changeLimits({}, change))
      .andThen(checkSoftLimits)
      .map((limits) => ({
        target,
        ...(request.userMapping !== undefined && { userMapping: request.userMapping }),
        limits,
      })),
  )

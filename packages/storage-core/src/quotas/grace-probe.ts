import { withSoftAsHard } from '../quota-rules/quota-limits.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { EnforcedLimit } from '../volumes/volume-backend.ts'
import { limitTarget } from './enforced-limits.ts'
import { anyButRoot, ownTarget } from './limits-in-force.ts'

/** Returns the limits that a file system must be able to enforce for a rule, also after its grace period. */
export function graceProbe({
  target,
  limits,
  gracePeriodSeconds,
}: Pick<QuotaRule, 'target' | 'limits' | 'gracePeriodSeconds'>): readonly EnforcedLimit[] {
  const limit = { target: limitTarget(target), limits }
  if (gracePeriodSeconds === undefined) return [limit]
  return [limit, { target: ownTarget(limit.target, anyButRoot), limits: withSoftAsHard(limits, ['space', 'files']) }]
}

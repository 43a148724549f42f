import { withSoftAsHard } from '../quota-rules/quota-limits.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { EnforcedLimit, UnsupportedLimit } from '../volumes/volume-backend.ts'
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

/**
 * Names what a file system cannot enforce of the probe of a rule by the limits of the rule. A soft limit that it cannot
 * enforce as hard is the soft limit.
 *
 * @param unsupported at least one, of that probe
 */
export function refusedLimit(
  { target, limits }: Pick<QuotaRule, 'target' | 'limits'>,
  [first, ...others]: readonly [UnsupportedLimit, ...UnsupportedLimit[]],
): UnsupportedLimit {
  const names = [first, ...others].flatMap((one) => one.limits)
  const ownNames = names.map((name) => (limits[name] === undefined ? softOf[name] : name))
  return { target: limitTarget(target), limits: [...new Set(ownNames)], reason: first.reason }
}

const softOf = {
  spaceHard: 'spaceSoft',
  spaceSoft: 'spaceSoft',
  filesHard: 'filesSoft',
  filesSoft: 'filesSoft',
} as const

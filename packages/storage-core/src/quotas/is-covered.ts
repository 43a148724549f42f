import {
  defaultTarget,
  isDefaultTarget,
  principalKey,
  type QuotaTarget,
  targetKeys,
} from '../quota-rules/quota-target.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/**
 * Whether a volume already enforces a quota for a target, by its own rule or by a default rule. Only then can a resize
 * set its limits. Otherwise a new scan is needed.
 */
export function isCovered(
  target: QuotaTarget,
  enforced: readonly EnforcedQuota[],
  { usersPerQtree }: { readonly usersPerQtree: boolean },
): boolean {
  const keys = new Set(enforced.flatMap((quota) => targetKeys(quota.target)))
  const has = (one: QuotaTarget) => targetKeys(one).some((key) => keys.has(key))
  if (isDefaultTarget(target)) return has(target)
  if (target.type === 'tree') return has(target) || has(defaultTarget('tree'))
  const { type, qtree } = target
  if (has(defaultTarget(type, qtree))) return true
  const hasTreeQuota = qtree !== undefined && (has({ type: 'tree', qtree }) || has(defaultTarget('tree')))
  if (usersPerQtree && hasTreeQuota && has(defaultTarget(type))) return true
  const principals = type === 'user' ? target.users : [target.group]
  return principals.every((principal) => keys.has(`${type}/${qtree ?? ''}/${principalKey(principal)}`))
}

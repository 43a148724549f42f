import {
  defaultTarget,
  isDefaultTarget,
  principalKey,
  type QuotaTarget,
  targetKeys,
} from '../quota-rules/quota-target.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/** Returns the target keys of quotas, for {@link isCovered}. */
export const coveringKeys = (enforced: readonly Pick<EnforcedQuota, 'target'>[]): Set<string> =>
  new Set(enforced.flatMap(({ target }) => targetKeys(target)))

/**
 * Whether a volume already enforces a quota for a target, by its own rule or by a default rule. Only then can a resize
 * set its limits. Otherwise a new scan is needed.
 *
 * @param keys the keys of what the volume enforces
 */
export function isCovered(
  target: QuotaTarget,
  keys: ReadonlySet<string>,
  { usersPerQtree }: { readonly usersPerQtree: boolean },
): boolean {
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

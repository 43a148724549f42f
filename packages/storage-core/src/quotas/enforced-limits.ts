import { isDefaultTarget, principalKey, type QuotaTarget } from '../quota-rules/quota-target.ts'
import type { EnforcedLimit, LimitTarget, VolumeCapabilities } from '../volumes/volume-backend.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

type LimitingQuota = Pick<EnforcedQuota, 'target' | 'limits'>

export interface EnforcedLimitsOptions<Quota extends LimitingQuota> {
  readonly quotas: readonly Quota[]
  /** The names of the volume's qtrees, without the empty one of the volume itself. */
  readonly qtrees: readonly string[]
  readonly capabilities: Pick<VolumeCapabilities, 'usersPerQtree'>
}

/** A limit with the quota that causes it. */
export interface CausedLimit<Quota extends LimitingQuota> extends EnforcedLimit {
  readonly quota: Quota
}

/**
 * Returns the limits of enforced quotas. A default tree rule becomes one limit for each qtree without a rule of its own.
 * A default rule for the users or groups of the volume also applies in each qtree with a tree quota. Rules for qtrees
 * that do not exist are left out.
 */
export function enforcedLimits<Quota extends LimitingQuota>({
  quotas,
  qtrees,
  capabilities,
}: EnforcedLimitsOptions<Quota>): readonly CausedLimit<Quota>[] {
  const existing = new Set(qtrees)
  const trees = new Map<string, CausedLimit<Quota>>()
  const others: CausedLimit<Quota>[] = []
  const defaultScopes = new Set<string>()
  for (const quota of quotas) {
    const { target, limits } = quota
    if (target.type === 'tree') {
      if (existing.has(target.qtree)) trees.set(target.qtree, { target: limitTarget(target), limits, quota })
      continue
    }
    if (target.qtree !== undefined && !existing.has(target.qtree)) continue
    if (isDefaultTarget(target)) defaultScopes.add(`${target.type}/${target.qtree ?? ''}`)
    others.push({ target: limitTarget(target), limits, quota })
  }
  const defaultTree = quotas.find(({ target }) => target.type === 'tree' && target.qtree === '')
  if (defaultTree) {
    for (const qtree of qtrees) {
      if (trees.has(qtree)) continue
      trees.set(qtree, { target: { kind: 'tree', qtree }, limits: defaultTree.limits, quota: defaultTree })
    }
  }
  const derived = quotas.flatMap((quota): readonly CausedLimit<Quota>[] => {
    const { target, limits } = quota
    if (!capabilities.usersPerQtree || target.type === 'tree') return []
    if (target.qtree !== undefined || !isDefaultTarget(target)) return []
    const kind = target.type === 'user' ? 'every-user' : 'every-group'
    return [...trees.keys()]
      .filter((qtree) => !defaultScopes.has(`${target.type}/${qtree}`))
      .map((qtree) => ({ target: { kind, qtree }, limits, quota }))
  })
  return [...trees.values(), ...others, ...derived]
}

/** Converts the target of a rule to that of a limit. The target of the default tree rule has an empty name. */
export function limitTarget(target: QuotaTarget): LimitTarget {
  if (target.type === 'tree') return { kind: 'tree', qtree: target.qtree }
  const scope = target.qtree === undefined ? {} : { qtree: target.qtree }
  if (isDefaultTarget(target)) return { kind: target.type === 'user' ? 'every-user' : 'every-group', ...scope }
  return target.type === 'user'
    ? { kind: 'users', users: target.users, ...scope }
    : { kind: 'group', group: target.group, ...scope }
}

/** Returns a key that is equal only for equal targets. */
export function limitTargetKey(target: LimitTarget): string {
  const scope = `${target.kind}/${target.qtree ?? ''}`
  if (target.kind === 'users') return `${scope}/${target.users.map(principalKey).toSorted().join('/')}`
  return target.kind === 'group' ? `${scope}/${principalKey(target.group)}` : scope
}

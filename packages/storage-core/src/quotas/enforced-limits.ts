import { isDefaultTarget, principalKey, type QuotaTarget } from '../quota-rules/quota-target.ts'
import type { EnforcedLimit, LimitTarget, VolumeCapabilities } from '../volumes/volume-backend.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

export interface EnforcedLimitsOptions {
  readonly quotas: readonly Pick<EnforcedQuota, 'target' | 'limits'>[]
  /** The names of the volume's qtrees, without the empty one of the volume itself. */
  readonly qtrees: readonly string[]
  readonly capabilities: Pick<VolumeCapabilities, 'usersPerQtree'>
}

/**
 * Returns the limits that the file system has to enforce. A default tree rule becomes one limit for each qtree without
 * a rule of its own. A default rule for the users or groups of the volume also applies in each qtree with a tree quota.
 * Rules for qtrees that do not exist are left out.
 */
export function enforcedLimits({ quotas, qtrees, capabilities }: EnforcedLimitsOptions): readonly EnforcedLimit[] {
  const existing = new Set(qtrees)
  const trees = new Map<string, EnforcedLimit>()
  const others: EnforcedLimit[] = []
  const defaultScopes = new Set<string>()
  for (const { target, limits } of quotas) {
    if (target.type === 'tree') {
      if (existing.has(target.qtree)) trees.set(target.qtree, { target: limitTarget(target), limits })
      continue
    }
    if (target.qtree !== undefined && !existing.has(target.qtree)) continue
    if (isDefaultTarget(target)) defaultScopes.add(`${target.type}/${target.qtree ?? ''}`)
    others.push({ target: limitTarget(target), limits })
  }
  const defaultTree = quotas.find(({ target }) => target.type === 'tree' && target.qtree === '')
  if (defaultTree) {
    for (const qtree of qtrees) {
      if (!trees.has(qtree)) trees.set(qtree, { target: { kind: 'tree', qtree }, limits: defaultTree.limits })
    }
  }
  const derived = quotas.flatMap(({ target, limits }): readonly EnforcedLimit[] => {
    if (!capabilities.usersPerQtree || target.type === 'tree') return []
    if (target.qtree !== undefined || !isDefaultTarget(target)) return []
    const kind = target.type === 'user' ? 'every-user' : 'every-group'
    return [...trees.keys()]
      .filter((qtree) => !defaultScopes.has(`${target.type}/${qtree}`))
      .map((qtree) => ({ target: { kind, qtree }, limits }))
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

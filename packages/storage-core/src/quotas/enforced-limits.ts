import { isDefaultTarget, principalKey, type QuotaTarget } from '../quota-rules/quota-target.ts'
import type { EnforcedLimit, LimitTarget, VolumeCapabilities } from '../volumes/volume-backend.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

export interface EnforcedLimitsOptions {
  readonly quotas: readonly Pick<EnforcedQuota, 'target' | 'limits'>[]
  /** The names of the volume's qtrees, its own empty one aside. */
  readonly qtrees: readonly string[]
  readonly capabilities: Pick<VolumeCapabilities, 'usersPerQtree'>
}

/**
 * Works out what the file system has to enforce: a default tree rule becomes one limit for each qtree without a rule of
 * its own, and a default rule for users or groups of the volume holds in each qtree with a tree quota as well. Rules for
 * qtrees that do not exist wait until they do.
 */
export function enforcedLimits({ quotas, qtrees, capabilities }: EnforcedLimitsOptions): readonly EnforcedLimit[] {
  const existing = new Set(qtrees)
  const trees = new Map<string, EnforcedLimit>()
  const others: EnforcedLimit[] = []
  const everybody = new Set<string>()
  for (const { target, limits } of quotas) {
    if (target.type === 'tree') {
      if (existing.has(target.qtree)) trees.set(target.qtree, { target: limitTarget(target), limits })
      continue
    }
    if (target.qtree !== undefined && !existing.has(target.qtree)) continue
    if (isDefaultTarget(target)) everybody.add(`${target.type}/${target.qtree ?? ''}`)
    others.push({ target: limitTarget(target), limits })
  }
  const byDefault = quotas.find(({ target }) => target.type === 'tree' && target.qtree === '')
  if (byDefault) {
    for (const qtree of qtrees) {
      if (!trees.has(qtree)) trees.set(qtree, { target: { kind: 'tree', qtree }, limits: byDefault.limits })
    }
  }
  const derived = quotas.flatMap(({ target, limits }): readonly EnforcedLimit[] => {
    if (!capabilities.usersPerQtree || target.type === 'tree') return []
    if (target.qtree !== undefined || !isDefaultTarget(target)) return []
    const kind = target.type === 'user' ? 'every-user' : 'every-group'
    return [...trees.keys()]
      .filter((qtree) => !everybody.has(`${target.type}/${qtree}`))
      .map((qtree) => ({ target: { kind, qtree }, limits }))
  })
  return [...trees.values(), ...others, ...derived]
}

/** A rule's target as file systems know it. That of the default tree rule has an empty name. */
export function limitTarget(target: QuotaTarget): LimitTarget {
  if (target.type === 'tree') return { kind: 'tree', qtree: target.qtree }
  const scope = target.qtree === undefined ? {} : { qtree: target.qtree }
  if (isDefaultTarget(target)) return { kind: target.type === 'user' ? 'every-user' : 'every-group', ...scope }
  return target.type === 'user'
    ? { kind: 'users', users: target.users, ...scope }
    : { kind: 'group', group: target.group, ...scope }
}

/** Tells targets apart. */
export function limitTargetKey(target: LimitTarget): string {
  const scope = `${target.kind}/${target.qtree ?? ''}`
  if (target.kind === 'users') return `${scope}/${target.users.map(principalKey).toSorted().join('/')}`
  return target.kind === 'group' ? `${scope}/${principalKey(target.group)}` : scope
}

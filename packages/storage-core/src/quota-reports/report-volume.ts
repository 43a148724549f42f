import type { Principal } from '../quota-rules/quota-target.ts'
import { type CausedLimit, enforcedLimits, limitTargetKey } from '../quotas/enforced-limits.ts'
import type { EnforcedQuota } from '../quotas/enforced-quota.ts'
import { mapInTurns } from '../scheduling/map-in-turns.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { Volume } from '../volumes/volume.ts'
import type {
  EnforcedLimit,
  KnownPrincipal,
  LimitTarget,
  QuotaUsage,
  UsageTarget,
  VolumeCapabilities,
} from '../volumes/volume-backend.ts'
import type { QuotaReport, ReportedPrincipal } from './quota-report.ts'
import { reportIndex } from './report-index.ts'

export interface ReportVolumeOptions {
  readonly volume: Volume
  readonly enforced: readonly EnforcedQuota[]
  readonly qtrees: readonly { readonly id: number; readonly name: string }[]
  readonly capabilities: Pick<VolumeCapabilities, 'usersPerQtree'>
  readonly usage: readonly QuotaUsage[]
}

/** A report with its quota, the target of its limit, and the user or group of a default rule. */
export interface VolumeReport extends Omit<QuotaReport, 'watched'> {
  readonly quota: EnforcedQuota
  readonly target: LimitTarget
  readonly principal?: KnownPrincipal
}

type Draft = Omit<VolumeReport, 'svm' | 'volume' | 'index'> & { readonly key: string }

/** Takes about 10 ms. */
const LIMITS_IN_TURN = 2000

const unused: QuotaReport['used'] = { space: 0, files: 0 }
const ROOT = '0'

/**
 * Returns one report for each enforced limit, for each user and group that a default rule covers, and for each default
 * rule itself. Reports of root have no limits of default rules. The work is done in several turns of the event loop.
 */
export async function reportVolume(options: ReportVolumeOptions): Promise<readonly VolumeReport[]> {
  const { volume, enforced, usage, capabilities } = options
  const qtrees = options.qtrees.filter(({ name }) => name !== '')
  const ids = new Map(qtrees.map(({ id, name }) => [name, id]))
  const limits = enforcedLimits({ quotas: enforced, qtrees: [...ids.keys()], capabilities })
  const scopes = new UsageByScope(usage)
  const drafts: Draft[] = []
  for (let start = 0; start < limits.length; start += LIMITS_IN_TURN) {
    if (start > 0) await nextTurn()
    for (const limit of limits.slice(start, start + LIMITS_IN_TURN)) {
      for (const draft of reportLimit(limit, limits, scopes, ids)) drafts.push(draft)
    }
  }
  const defaultTree = enforced.find(({ target }) => target.type === 'tree' && target.qtree === '')
  if (defaultTree) {
    const qtree = { id: 0, name: '' }
    drafts.push({
      key: 'tree',
      quota: defaultTree,
      target: { kind: 'tree', qtree: '' },
      type: 'tree',
      users: [],
      qtree,
      limits: defaultTree.limits,
      used: unused,
      isDefault: true,
    })
  }
  if (drafts.length > LIMITS_IN_TURN) await nextTurn()
  const taken = new Set<number>()
  const sorted = drafts.toSorted((left, right) => (left.key < right.key ? -1 : 1))
  return mapInTurns(sorted, LIMITS_IN_TURN, ({ key, ...draft }) => {
    let index = reportIndex(key)
    while (taken.has(index)) index += 1
    taken.add(index)
    return { svm: volume.svm, volume: { uuid: volume.uuid, name: volume.name }, index, ...draft }
  })
}

/** The usage of one kind in the whole volume or in one qtree. */
interface Scope {
  /** By the ids of the owners; of a tree by an empty one. */
  readonly byId: Map<string, QuotaUsage>
  /** The first one of each name. */
  readonly byName: Map<string, QuotaUsage>
}

/** The usage in the whole volume and in each qtree. */
class UsageByScope {
  readonly #scopes = new Map<string, Scope>()

  constructor(usage: readonly QuotaUsage[]) {
    for (const one of usage) {
      const key = scopeKey(one.target.kind, one.target.qtree)
      const scope = this.#scopes.get(key) ?? { byId: new Map(), byName: new Map() }
      this.#scopes.set(key, scope)
      const { id = '', name } = principalOf(one.target) ?? {}
      scope.byId.set(id, one)
      if (name !== undefined && !scope.byName.has(name)) scope.byName.set(name, one)
    }
  }

  all(kind: UsageTarget['kind'], qtree: string | undefined): Iterable<QuotaUsage> {
    return this.#scopes.get(scopeKey(kind, qtree))?.byId.values() ?? []
  }

  find(kind: 'user' | 'group', qtree: string | undefined, principal: Principal): QuotaUsage | undefined {
    const scope = this.#scopes.get(scopeKey(kind, qtree))
    return 'id' in principal ? scope?.byId.get(principal.id) : scope?.byName.get(principal.name)
  }
}

const scopeKey = (kind: UsageTarget['kind'], qtree: string | undefined): string => `${kind}/${qtree ?? ''}`

const principalOf = (target: UsageTarget): KnownPrincipal | undefined =>
  target.kind === 'user' ? target.user : target.kind === 'group' ? target.group : undefined

function reportLimit(
  limit: CausedLimit<EnforcedQuota>,
  all: readonly EnforcedLimit[],
  usage: UsageByScope,
  ids: ReadonlyMap<string, number>,
): readonly Draft[] {
  const { target, limits, quota } = limit
  const key = limitTargetKey(target)
  const cause = { key, target, quota }
  const scope = target.qtree === undefined ? {} : { qtree: { id: ids.get(target.qtree) ?? 0, name: target.qtree } }
  switch (target.kind) {
    case 'tree': {
      const [used = unused] = usage.all('tree', target.qtree)
      return [{ ...cause, type: 'tree', users: [], ...scope, limits, used: amounts(used), isDefault: false }]
    }
    case 'users': {
      const found = target.users.map((user) => usage.find('user', target.qtree, user))
      const used = found.reduce((total, one) => add(total, one ?? unused), unused)
      const users = target.users.map((user, index) => known(user, found[index]))
      return [{ ...cause, type: 'user', users, ...scope, limits, used, isDefault: false }]
    }
    case 'group': {
      const found = usage.find('group', target.qtree, target.group)
      const group = known(target.group, found)
      return [
        {
          ...cause,
          type: 'group',
          users: [],
          group,
          ...scope,
          limits,
          used: amounts(found ?? unused),
          isDefault: false,
        },
      ]
    }
    default:
      return reportDefaultRule({ target, limits, quota }, all, usage, scope)
  }
}

type DefaultTarget = Extract<LimitTarget, { kind: 'every-user' | 'every-group' }>

function reportDefaultRule(
  { target, limits, quota }: Omit<CausedLimit<EnforcedQuota>, 'target'> & { readonly target: DefaultTarget },
  all: readonly EnforcedLimit[],
  usage: UsageByScope,
  scope: Pick<Draft, 'qtree'>,
): readonly Draft[] {
  const type = target.kind === 'every-user' ? 'user' : 'group'
  const key = limitTargetKey(target)
  const principalFields = (principal: ReportedPrincipal) =>
    type === 'user' ? { users: [principal] } : { users: [], group: principal }
  const named = all.flatMap((other): readonly Principal[] => {
    if (other.target.qtree !== target.qtree) return []
    if (type === 'user') return other.target.kind === 'users' ? other.target.users : []
    return other.target.kind === 'group' ? [other.target.group] : []
  })
  const explicitIds = new Set(named.flatMap((principal) => ownerId(usage.find(type, target.qtree, principal))))
  const derived = [...usage.all(type, target.qtree)].flatMap((used): readonly Draft[] => {
    const principal = principalOf(used.target)
    if (!principal || explicitIds.has(principal.id)) return []
    const bound = principal.id === ROOT ? {} : limits
    const report = {
      type,
      ...principalFields(principal),
      ...scope,
      limits: bound,
      used: amounts(used),
      isDefault: false,
    } as const
    return [{ key: `${key}/${principal.id}`, target, quota, principal, ...report }]
  })
  const report = { type, ...principalFields({ name: '' }), ...scope, limits, used: unused, isDefault: true } as const
  return [{ key, target, quota, ...report }, ...derived]
}

function ownerId(usage: QuotaUsage | undefined): readonly string[] {
  const id = usage && principalOf(usage.target)?.id
  return id === undefined ? [] : [id]
}

const known = (principal: Principal, usage: QuotaUsage | undefined): ReportedPrincipal =>
  (usage && principalOf(usage.target)) ?? principal

const amounts = ({ space, files }: QuotaReport['used']): QuotaReport['used'] => ({
  space,
  ...(files !== undefined && { files }),
})

const add = (left: QuotaReport['used'], right: QuotaReport['used']): QuotaReport['used'] => ({
  space: left.space + right.space,
  ...(left.files !== undefined && right.files !== undefined && { files: left.files + right.files }),
})

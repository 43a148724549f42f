import type { LimitState, QuotaSubject } from '../limit-states/limit-state.ts'
import { withSoftAsHard } from '../quota-rules/quota-limits.ts'
import { type Principal, principalKey } from '../quota-rules/quota-target.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Volume } from '../volumes/volume.ts'
import type {
  EnforcedLimit,
  KnownPrincipal,
  LimitTarget,
  VolumeBackend,
  VolumeCapabilities,
} from '../volumes/volume-backend.ts'
import { enforcedLimits } from './enforced-limits.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/** What the limits of a volume depend on besides its quotas. */
export interface LimitContext {
  /** Those of the volume, without the one of the volume itself. */
  readonly qtrees: readonly { readonly id: number; readonly name: string }[]
  readonly capabilities: Pick<VolumeCapabilities, 'usersPerQtree'>
  readonly states: readonly LimitState[]
}

export interface LimitContextOptions {
  readonly repositories: Pick<StorageRepositories, 'qtrees' | 'limitStates'>
  readonly volume: Pick<Volume, 'uuid'>
  readonly backend: Pick<VolumeBackend, 'capabilities'>
}

export async function readLimitContext(options: LimitContextOptions): Promise<LimitContext> {
  const { repositories, volume, backend } = options
  const ofVolume = { field: 'volumeUuid', negated: false, term: { kind: 'equals', value: volume.uuid } } as const
  const { records } = await repositories.qtrees.list({ query: { all: [{ any: [ofVolume] }] }, order: [], limit: 5000 })
  return {
    qtrees: records.filter(({ name }) => name !== ''),
    capabilities: await backend.capabilities(),
    states: await repositories.limitStates.list(volume.uuid),
  }
}

/**
 * Returns the limits that a file system has to enforce. A soft limit whose grace period has ended is the hard limit of
 * its target. A user or group of a default rule then has a limit of its own.
 */
export function limitsInForce(
  quotas: readonly Pick<EnforcedQuota, 'rule' | 'target' | 'limits'>[],
  { qtrees, capabilities, states }: LimitContext,
): readonly EnforcedLimit[] {
  const ids = new Map(qtrees.map(({ id, name }) => [name, id]))
  const limits = enforcedLimits({ quotas, qtrees: [...ids.keys()], capabilities })
  const ended = Map.groupBy(
    states.flatMap(({ subject, graceEndedAt }) => (subject.kind === 'limit' && graceEndedAt ? subject : [])),
    ({ rule, qtree }) => `${rule}/${qtree ?? ''}`,
  )
  const named = new Set(ended.size === 0 ? [] : limits.flatMap(({ target }) => namedPrincipals(target)))
  const own: EnforcedLimit[] = []
  const inForce = limits.map(({ target, limits: given, quota }): EnforcedLimit => {
    const qtree = target.qtree === undefined ? '' : (ids.get(target.qtree) ?? '')
    const subjects = ended.size === 0 ? [] : (ended.get(`${quota.rule}/${qtree}`) ?? [])
    if (subjects.length === 0) return { target, limits: given }
    if (target.kind !== 'every-user' && target.kind !== 'every-group')
      return { target, limits: withSoftAsHard(given, dimensionsOf(subjects)) }
    for (const ofOne of Map.groupBy(subjects, ({ principal }) => principal?.id).values()) {
      const principal = ofOne[0]?.principal
      if (!principal || principalKeys(target, principal).some((key) => named.has(key))) continue
      own.push({ target: ownTarget(target, principal), limits: withSoftAsHard(given, dimensionsOf(ofOne)) })
    }
    return { target, limits: given }
  })
  return [...inForce, ...own]
}

const dimensionsOf = (subjects: readonly QuotaSubject[]) => subjects.map(({ of }) => of)

/** Stands for any user or group of a default rule in questions to a file system. */
export const anyButRoot: KnownPrincipal = { id: '1' }

/** The target of one user or group of a default rule. Other targets stay. */
export function ownTarget(target: LimitTarget, principal: KnownPrincipal | undefined): LimitTarget {
  if (!principal || (target.kind !== 'every-user' && target.kind !== 'every-group')) return target
  const scope = target.qtree === undefined ? {} : { qtree: target.qtree }
  return target.kind === 'every-user'
    ? { kind: 'users', users: [{ id: principal.id }], ...scope }
    : { kind: 'group', group: { id: principal.id }, ...scope }
}

/** The keys of the users or the group that a limit names. */
function namedPrincipals(target: LimitTarget): readonly string[] {
  if (target.kind === 'users') return target.users.map((user) => scopedKey('user', target.qtree, user))
  return target.kind === 'group' ? [scopedKey('group', target.qtree, target.group)] : []
}

/** The keys by which a limit can name a user or group of a default rule. */
function principalKeys({ kind, qtree }: LimitTarget, { id, name }: KnownPrincipal): readonly string[] {
  const type = kind === 'every-user' ? 'user' : 'group'
  return [scopedKey(type, qtree, { id }), ...(name === undefined ? [] : [scopedKey(type, qtree, { name })])]
}

const scopedKey = (type: 'user' | 'group', qtree: string | undefined, principal: Principal): string =>
  `${type}/${qtree ?? ''}/${principalKey(principal)}`

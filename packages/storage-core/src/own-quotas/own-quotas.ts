import type { ResultAsync } from 'neverthrow'
import { oneOf } from '../query/query.ts'
import type { QuotaReport, ReportedPrincipal } from '../quota-reports/quota-report.ts'
import type { QuotaReports, UnavailableUsage } from '../quota-reports/quota-reports.ts'
import type { Principal } from '../quota-rules/quota-target.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { SvmId } from '../svms/svm.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import { isSwitchedOn } from '../volumes/volume.ts'
import type { VolumeRepository } from '../volumes/volume-repository.ts'
import type { OwnQuota, OwnQuotas, OwnUse, SharingUser } from './own-quota.ts'
import type { TreeOwner, TreeOwnerCounts, TreeOwners } from './tree-owners.ts'

/** The limits that apply to one user. */
export interface OwnQuotaReports {
  /** Returns what a user uses and may use, in the given volumes or in all. A volume whose usage cannot be read is named. */
  of(user: Principal, scope?: OwnQuotaScope): Promise<OwnQuotas>
}

/** Where quotas of a user are looked for. */
export interface OwnQuotaScope {
  /** @default all volumes */
  readonly volumes?: readonly VolumeId[]
  /** @default all SVMs */
  readonly svm?: SvmId
}

export interface OwnQuotasOptions {
  readonly repository: VolumeRepository
  readonly attached: AttachedVolumes
  readonly quotaReports: Pick<QuotaReports, 'ofVolume'>
  readonly treeOwners: TreeOwnerCounts
}

const MAXIMUM_VOLUMES = 10_000
const MAXIMUM_QUOTAS = 1000
const MAXIMUM_SHARING_USERS = 100
/** Owns the qtrees themselves, so it would share each of them. */
const ROOT = '0'

/** The limits of one volume, as all users who ask at the same time share them. */
interface VolumeView {
  readonly volume: Volume
  /** The limits of users, by each name and each id of their users. */
  readonly ofUsers: ReadonlyMap<string, readonly QuotaReport[]>
  /** The limits of qtrees. */
  readonly trees: readonly QuotaReport[]
  /** `undefined` where they are not counted yet. */
  readonly owners: TreeOwners | undefined
  readonly names: KnownNames
}

/** Which names and ids belong to each other on a volume. */
interface KnownNames {
  readonly ofId: ReadonlyMap<string, string>
  readonly ofName: ReadonlyMap<string, string>
}

export function createOwnQuotas({ repository, attached, quotaReports, treeOwners }: OwnQuotasOptions): OwnQuotaReports {
  /** Users who ask at the same time share one reading of a volume. */
  const reading = new Map<VolumeId, ReturnType<typeof read>>()
  const readShared = (volume: Volume) => {
    const running = reading.get(volume.uuid)
    if (running) return running
    const started = read(volume)
    reading.set(volume.uuid, started)
    const end = () => reading.delete(volume.uuid)
    started.then(end, end)
    return started
  }
  const read = (volume: Volume): ResultAsync<VolumeView, UnavailableUsage> =>
    quotaReports.ofVolume(volume, { files: false }).map(async (reports) => {
      const backend = attached.backend(volume.uuid)
      const qtrees = reports.flatMap(({ type, isDefault, qtree }) =>
        type === 'tree' && !isDefault ? (qtree?.name ?? []) : [],
      )
      const owners = backend && (await treeOwners.of(volume.uuid, backend, qtrees))
      return { volume, ...(await indexed(reports)), owners, names: namesOf(reports, owners) }
    })

  return {
    async of(principal, { volumes: among, svm } = {}) {
      const all = among ? [oneOf('uuid', among)] : []
      const query = { all: [...all, ...(svm === undefined ? [] : [oneOf('svmUuid', [svm])])] } as const
      const { records } = await repository.list({ query, order: [], limit: MAXIMUM_VOLUMES })
      const results = await Promise.all(records.filter(isSwitchedOn).map(readShared))
      const views = results.flatMap((result) => (result.isOk() ? result.value : []))
      const user = completed(principal, views)
      const quotas = views.flatMap((view) => quotasOf(user, view)).toSorted(byPlace)
      return {
        user,
        quotas: quotas.slice(0, MAXIMUM_QUOTAS),
        isCut: quotas.length > MAXIMUM_QUOTAS,
        unavailable: results.flatMap((result) => (result.isErr() ? result.error : [])),
        counting: views.flatMap(({ owners, volume }) => (owners ? [] : volume.name)),
      }
    },
  }
}

const REPORTS_IN_TURN = 2000

/** Finds limits by their users, in several turns of the event loop. */
async function indexed(reports: readonly QuotaReport[]): Promise<Pick<VolumeView, 'ofUsers' | 'trees'>> {
  const ofUsers = new Map<string, QuotaReport[]>()
  const trees: QuotaReport[] = []
  for (const [index, report] of reports.entries()) {
    if (index % REPORTS_IN_TURN === REPORTS_IN_TURN - 1) await nextTurn()
    if (report.isDefault) continue
    if (report.type === 'tree') trees.push(report)
    for (const key of new Set(report.users.flatMap(keysOf))) {
      const known = ofUsers.get(key)
      if (known) known.push(report)
      else ofUsers.set(key, [report])
    }
  }
  return { ofUsers, trees }
}

const keysOf = ({ id, name }: ReportedPrincipal): readonly string[] => [
  ...(id === undefined ? [] : [`id:${id}`]),
  ...(name === undefined ? [] : [`name:${name}`]),
]

function namesOf(reports: readonly QuotaReport[], owners: TreeOwners | undefined): KnownNames {
  const ofId = new Map<string, string>()
  const ofName = new Map<string, string>()
  const learn = ({ id, name }: ReportedPrincipal) => {
    if (id === undefined || name === undefined) return
    ofId.set(id, name)
    ofName.set(name, id)
  }
  for (const { users } of reports) users.forEach(learn)
  for (const ofTree of owners?.values() ?? []) for (const { user } of ofTree) learn(user)
  return { ofId, ofName }
}

/** Whether two texts name one user. Where both have ids, or both have names, these are equal. */
const isSame = (one: ReportedPrincipal, other: ReportedPrincipal): boolean =>
  (one.id !== undefined && one.id === other.id && !differs(one.name, other.name)) ||
  (one.name !== undefined && one.name === other.name && !differs(one.id, other.id))

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

/**
 * Returns the user with both name and id, where the volumes agree about them. Volumes may have users of different
 * systems, of which one can have the number of another.
 */
function completed(principal: Principal, views: readonly VolumeView[]): ReportedPrincipal {
  const pairs = views.flatMap(({ names }): readonly ReportedPrincipal[] => {
    const id = 'id' in principal ? principal.id : names.ofName.get(principal.name)
    const name = 'name' in principal ? principal.name : names.ofId.get(principal.id)
    return id === undefined || name === undefined ? [] : [{ id, name }]
  })
  const [pair] = pairs
  if (pair?.id === undefined || pair.name === undefined) return principal
  const { id, name } = pair
  const contradicts = views.some(
    ({ names }) => differs(names.ofId.get(id), name) || differs(names.ofName.get(name), id),
  )
  return contradicts ? principal : pair
}

function quotasOf(user: ReportedPrincipal, { ofUsers, trees, owners }: VolumeView): readonly OwnQuota[] {
  const own = new Set(keysOf(user).flatMap((key) => ofUsers.get(key) ?? []))
  const limits = [...own].flatMap((report): readonly OwnQuota[] => {
    if (!report.users.some((one) => isSame(one, user))) return []
    const others = report.users.filter((one) => !isSame(one, user)).map((one) => ({ user: one }))
    return [{ ...report, sharedWith: sharing(others) }]
  })
  const ofTrees = trees.flatMap((report): readonly OwnQuota[] => {
    const ofTree = owners?.get(report.qtree?.name ?? '') ?? []
    const owner = ofTree.find((one) => isSame(one.user, user))
    if (!owner) return []
    const others = ofTree.filter((one) => one !== owner && one.user.id !== ROOT).map(withUse)
    return [{ ...report, own: useOf(owner), sharedWith: sharing(others) }]
  })
  return [...limits, ...ofTrees]
}

const useOf = ({ space, files }: TreeOwner): OwnUse => ({ space, ...(files !== undefined && { files }) })

const withUse = (owner: TreeOwner): SharingUser => ({ user: owner.user, used: useOf(owner) })

const sharing = (users: readonly SharingUser[]) => ({
  count: users.length,
  users: users.slice(0, MAXIMUM_SHARING_USERS),
})

const placeOf = ({ svm, volume, type, qtree }: OwnQuota) => [svm.name, volume.name, type, qtree?.name ?? ''] as const

function byPlace(one: OwnQuota, other: OwnQuota): number {
  const [left, right] = [placeOf(one), placeOf(other)]
  const at = left.findIndex((text, index) => text !== right[index])
  return at < 0 ? one.index - other.index : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1
}

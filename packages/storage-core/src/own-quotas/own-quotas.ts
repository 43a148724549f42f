import type { ResultAsync } from 'neverthrow'
import { oneOf } from '../query/query.ts'
import type { QuotaReport, ReportedPrincipal } from '../quota-reports/quota-report.ts'
import type { QuotaReports, UnavailableUsage } from '../quota-reports/quota-reports.ts'
import type { Principal } from '../quota-rules/quota-target.ts'
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

interface VolumeView {
  readonly reports: readonly QuotaReport[]
  /** `undefined` where they are not counted yet. */
  readonly owners: TreeOwners | undefined
  readonly volume: Volume
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
      return { volume, reports, owners: backend && (await treeOwners.of(volume.uuid, backend, qtrees)) }
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

const isSame = (one: ReportedPrincipal, other: ReportedPrincipal): boolean =>
  (one.id !== undefined && one.id === other.id) || (one.name !== undefined && one.name === other.name)

/** Returns the user with both name and id, where a file system has reported both. */
function completed(principal: Principal, views: readonly VolumeView[]): ReportedPrincipal {
  for (const { reports, owners } of views) {
    for (const { users } of reports) {
      const found = users.find((one) => one.id !== undefined && one.name !== undefined && isSame(one, principal))
      if (found) return found
    }
    for (const ofTree of owners?.values() ?? []) {
      const found = ofTree.find(({ user }) => user.name !== undefined && isSame(user, principal))
      if (found) return found.user
    }
  }
  return principal
}

function quotasOf(user: ReportedPrincipal, { reports, owners }: VolumeView): readonly OwnQuota[] {
  return reports.flatMap((report): OwnQuota[] => {
    if (report.isDefault) return []
    if (report.type === 'user') {
      if (!report.users.some((one) => isSame(one, user))) return []
      const others = report.users.filter((one) => !isSame(one, user)).map((one) => ({ user: one }))
      return [{ ...report, sharedWith: sharing(others) }]
    }
    const ofTree = report.type === 'tree' ? owners?.get(report.qtree?.name ?? '') : undefined
    const own = ofTree?.find((owner) => isSame(owner.user, user))
    if (!ofTree || !own) return []
    const others = ofTree.filter((owner) => owner !== own && owner.user.id !== ROOT).map(withUse)
    return [{ ...report, own: useOf(own), sharedWith: sharing(others) }]
  })
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

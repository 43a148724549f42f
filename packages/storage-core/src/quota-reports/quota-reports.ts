import { err, ok, ResultAsync } from 'neverthrow'
import { compileQuery } from '../query/compile-query.ts'
import type { Page, PageRequest } from '../query/page.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { oneOf, type Query } from '../query/query.ts'
import { type EnforcedQuota, isWatched, watchesFiles } from '../quotas/enforced-quota.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { isSwitchedOn, type Volume, type VolumeId } from '../volumes/volume.ts'
import type { UsageNeeds, VolumeCapabilities } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'
import { type QuotaReport, type QuotaReportField, quotaReportFields } from './quota-report.ts'
import { mentionsFiles, neededQtrees, needsOwners } from './report-needs.ts'
import { reportVolume } from './report-volume.ts'
import { type WatchedReport, withWatchedLimits } from './watched-reports.ts'

/** Why a report cannot be returned: no such target, or a volume whose usage is unavailable. */
export type QuotaReportError =
  | { readonly type: 'quota-report-not-found'; readonly volume: string; readonly index: number }
  | UnavailableUsage

/** The usage of a volume cannot be read: its file system is attached to another process, or failed. */
export interface UnavailableUsage {
  readonly type: 'quota-usage-unavailable'
  readonly volume: string
  readonly reason: string
}

/** The enforced quotas and their usage. Volumes whose quotas are off have no reports. */
export interface QuotaReports {
  find(volume: string, index: number, options?: ReportOptions): ResultAsync<QuotaReport, QuotaReportError>
  /** Lists the reports of available volumes. Fails only when none of the selected volumes is available. */
  list(request: ReportPageRequest): ResultAsync<Page<QuotaReport> & MissingReports, UnavailableUsage>
  /** Counts reports. Fails like {@link list}. */
  count(
    request: Omit<ReportPageRequest, 'order' | 'start' | 'limit' | 'files'>,
  ): ResultAsync<ReportCount, UnavailableUsage>
  /** Returns every report of one volume. */
  ofVolume(volume: Volume, options?: ReportOptions): ResultAsync<readonly QuotaReport[], UnavailableUsage>
}

/** The reports that the watch of a volume needs. */
export interface WatchedReports {
  /** Returns the reports of rules that are watched. Reads no usage without one, and counts files only for limits of files. */
  forWatch(volume: Volume): ResultAsync<readonly WatchedReport[], UnavailableUsage>
}

export interface ReportOptions {
  /**
   * Whether the reports need numbers of files, which some file systems count by a walk. Without them `used.files` may
   * be absent.
   * @default true
   */
  readonly files?: boolean
}

/** The volumes whose reports are missing from a list. */
export interface MissingReports {
  readonly unavailable: readonly UnavailableUsage[]
}

export interface ReportCount extends MissingReports {
  readonly count: number
}

/** A page of reports. Filters and orders on used files count files in any case. */
export interface ReportPageRequest extends PageRequest<QuotaReportField>, ReportOptions {
  /** Whether default rules have reports of their own. @default true */
  readonly defaults?: boolean
}

export interface QuotaReportsOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
}

const MAXIMUM_VOLUMES = 10_000

export function createQuotaReports({ repositories, attached }: QuotaReportsOptions): QuotaReports & WatchedReports {
  const { volumes, qtrees, enforcedQuotas, limitStates } = repositories

  /** Reports a volume with the needed usage, which may depend on what is enforced. `undefined` for none. */
  const reportWatched = (
    volume: Volume,
    needsOf: (enforced: readonly EnforcedQuota[], capabilities: VolumeCapabilities) => UsageNeeds | undefined,
  ): ResultAsync<readonly WatchedReport[], UnavailableUsage> =>
    new ResultAsync(
      (async () => {
        if (!isSwitchedOn(volume)) return ok([])
        const backend = attached.backend(volume.uuid)
        const unavailable = (reason: string) =>
          err({ type: 'quota-usage-unavailable', volume: volume.name, reason } as const)
        if (!backend) return unavailable('its file system is attached to another process')
        try {
          const [capabilities, enforced, { records }] = await Promise.all([
            backend.capabilities(),
            enforcedQuotas.list(volume.uuid),
            qtrees.list({ query: { all: [oneOf('volumeUuid', [volume.uuid])] }, order: [], limit: 5000 }),
          ])
          const needs = needsOf(enforced, capabilities)
          const usage = needs ? await backend.usage(needs) : []
          const states = enforced.some(isWatched) ? await limitStates.list(volume.uuid) : []
          const reports = await reportVolume({ volume, enforced, qtrees: records, capabilities, usage })
          return ok(await withWatchedLimits(reports, { volume, backend, states }))
        } catch (error) {
          if (isVolumeRefusal(error)) return unavailable(error.message)
          throw error
        }
      })(),
    )

  const report = (...of: Parameters<typeof reportWatched>): ResultAsync<readonly QuotaReport[], UnavailableUsage> =>
    reportWatched(...of).map((reports) =>
      reports.map(({ quota: _quota, target: _target, principal: _principal, ...one }) => one),
    )

  const collect = (query: Query<QuotaReportField>, { defaults, files }: { defaults: boolean; files: boolean }) =>
    new ResultAsync(
      (async () => {
        const { records } = await volumes.list({ query: volumeQuery(query), order: [], limit: MAXIMUM_VOLUMES })
        const qtrees = neededQtrees(query)
        const needsOf = (enforced: readonly EnforcedQuota[], { usersPerQtree }: VolumeCapabilities): UsageNeeds => ({
          files,
          owners: (qtrees === undefined || usersPerQtree) && needsOwners(query, enforced),
          ...(qtrees && { qtrees }),
        })
        const results = await Promise.all(records.filter(isSwitchedOn).map((volume) => report(volume, needsOf)))
        const unavailable = results.flatMap((result) => (result.isErr() ? result.error : []))
        const [first] = unavailable
        if (first && unavailable.length === results.length) return err(first)
        const reports = results
          .flatMap((result) => result.unwrapOr([]))
          .filter(({ isDefault }) => defaults || !isDefault)
        return ok({ reports, unavailable })
      })(),
    )

  /** Adds the numbers of files to the reports of qtrees that lack them. */
  const withFiles = async (reports: readonly QuotaReport[]): Promise<readonly QuotaReport[]> => {
    const lacking = reports.filter(({ used }) => used.files === undefined)
    const counts = new Map<string, number>()
    for (const [uuid, ofOne] of Map.groupBy(lacking, ({ volume }) => volume.uuid)) {
      const names = ofOne.flatMap(({ qtree }) => qtree?.name ?? [])
      const volume = await volumes.find(uuid)
      const counted = volume && (await report(volume, () => ({ owners: false, qtrees: names })).unwrapOr([]))
      for (const { index, used } of counted ?? []) {
        if (used.files !== undefined) counts.set(`${uuid}/${index}`, used.files)
      }
    }
    return reports.map((one) => {
      const files = counts.get(`${one.volume.uuid}/${one.index}`)
      return one.used.files !== undefined || files === undefined ? one : { ...one, used: { ...one.used, files } }
    })
  }

  const ofVolume: QuotaReports['ofVolume'] = (volume, { files = true } = {}) =>
    report(volume, (enforced) => ({ files, owners: enforced.some(isOfOwner) }))

  /** The one report, for which a file system counts the files of no other qtree. */
  const findIn = (volume: Volume, index: number, files: boolean) =>
    report(volume, () => undefined).andThen((targets) => {
      const tree = targets.find((target) => target.index === index && target.type === 'tree')
      if (!tree) return report(volume, (enforced) => ofOwners(enforced, files))
      if (tree.isDefault) return ok([tree])
      return report(volume, () => ({ files, owners: false, qtrees: tree.qtree ? [tree.qtree.name] : [] }))
    })

  return {
    ofVolume,
    forWatch: (volume) =>
      reportWatched(volume, (enforced) => {
        const watched = enforced.filter(isWatched)
        if (watched.length === 0) return undefined
        return { files: watched.some(watchesFiles), owners: watched.some(isOfOwner) }
      }).map((reports) => reports.filter(({ quota }) => isWatched(quota))),
    find: (uuid, index, { files = true } = {}) =>
      // An id of a client is a text, and is looked up unchecked.
      ResultAsync.fromSafePromise(volumes.find(uuid as VolumeId))
        .andThen((volume) => (volume ? findIn(volume, index, files) : ok([])))
        .andThen((reports) => {
          const found = reports.find((one) => one.index === index)
          return found ? ok(found) : err({ type: 'quota-report-not-found', volume: uuid, index } as const)
        }),
    list: ({ defaults = true, files = true, ...request }) =>
      collect(request.query, { defaults, files: mentionsFiles(request) }).andThen(({ reports, unavailable }) => {
        const page = pageInMemory(quotaReportFields, reports, request)
        // Only for the reports of the page, since counting files can take long.
        const counted = files ? withFiles(page.records) : Promise.resolve(page.records)
        return ResultAsync.fromSafePromise(counted).map((records) => ({ ...page, records, unavailable }))
      }),
    count: ({ query, defaults = true }) =>
      collect(query, { defaults, files: mentionsFiles({ query, order: [] }) }).map(({ reports, unavailable }) => ({
        count: reports.filter(compileQuery(quotaReportFields, query)).length,
        unavailable,
      })),
  }
}

/** What reports of users and groups need. */
function ofOwners(enforced: readonly EnforcedQuota[], files: boolean): UsageNeeds {
  const owners = enforced.some(isOfOwner)
  return { files: files && owners, owners }
}

const isOfOwner = ({ target }: EnforcedQuota): boolean => target.type !== 'tree'

const volumeFieldNames = {
  volumeUuid: 'uuid',
  volumeName: 'name',
  svmUuid: 'svmUuid',
  svmName: 'svmName',
} as const satisfies Partial<Record<QuotaReportField, string>>

const isVolumeField = (name: string): name is keyof typeof volumeFieldNames => name in volumeFieldNames

/** The clauses on the volume alone, so that only the file systems of matching volumes are read. */
function volumeQuery({ all }: Query<QuotaReportField>): Query<'uuid' | 'name' | 'svmUuid' | 'svmName'> {
  return {
    all: all.flatMap(({ any }) => {
      const own = any.flatMap(({ field, ...rest }) =>
        isVolumeField(field) ? [{ field: volumeFieldNames[field], ...rest }] : [],
      )
      return own.length === any.length ? [{ any: own }] : []
    }),
  }
}

import { err, ok, ResultAsync } from 'neverthrow'
import { compileQuery } from '../query/compile-query.ts'
import type { Page, PageRequest } from '../query/page.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { oneOf, type Query } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { isSwitchedOn, type Volume, type VolumeId } from '../volumes/volume.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'
import { type QuotaReport, type QuotaReportField, quotaReportFields } from './quota-report.ts'
import { reportVolume } from './report-volume.ts'

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
  find(volume: string, index: number): ResultAsync<QuotaReport, QuotaReportError>
  /** Lists the reports of available volumes. Fails only when none of the selected volumes is available. */
  list(request: ReportPageRequest): ResultAsync<Page<QuotaReport> & MissingReports, UnavailableUsage>
  /** Counts reports. Fails like {@link list}. */
  count(request: Omit<ReportPageRequest, 'order' | 'start' | 'limit'>): ResultAsync<ReportCount, UnavailableUsage>
  /** Returns every report of one volume. */
  ofVolume(volume: Volume): ResultAsync<readonly QuotaReport[], UnavailableUsage>
}

/** The volumes whose reports are missing from a list. */
export interface MissingReports {
  readonly unavailable: readonly UnavailableUsage[]
}

export interface ReportCount extends MissingReports {
  readonly count: number
}

export interface ReportPageRequest extends PageRequest<QuotaReportField> {
  /** Whether default rules have reports of their own. @default true */
  readonly defaults?: boolean
}

export interface QuotaReportsOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
}

const MAXIMUM_VOLUMES = 10_000

export function createQuotaReports({ repositories, attached }: QuotaReportsOptions): QuotaReports {
  const { volumes, qtrees, enforcedQuotas } = repositories

  const ofVolume = (volume: Volume): ResultAsync<readonly QuotaReport[], UnavailableUsage> =>
    new ResultAsync(
      (async () => {
        if (!isSwitchedOn(volume)) return ok([])
        const backend = attached.backend(volume.uuid)
        const unavailable = (reason: string) =>
          err({ type: 'quota-usage-unavailable', volume: volume.name, reason } as const)
        if (!backend) return unavailable('its file system is attached to another process')
        try {
          const [capabilities, usage, enforced, { records }] = await Promise.all([
            backend.capabilities(),
            backend.usage(),
            enforcedQuotas.list(volume.uuid),
            qtrees.list({ query: { all: [oneOf('volumeUuid', [volume.uuid])] }, order: [], limit: 5000 }),
          ])
          return ok(reportVolume({ volume, enforced, qtrees: records, capabilities, usage }))
        } catch (error) {
          if (isVolumeRefusal(error)) return unavailable(error.message)
          throw error
        }
      })(),
    )

  const collect = (query: Query<QuotaReportField>, defaults: boolean) =>
    new ResultAsync(
      (async () => {
        const { records } = await volumes.list({ query: volumeQuery(query), order: [], limit: MAXIMUM_VOLUMES })
        const results = await Promise.all(records.filter(isSwitchedOn).map(ofVolume))
        const unavailable = results.flatMap((result) => (result.isErr() ? result.error : []))
        const [first] = unavailable
        if (first && unavailable.length === results.length) return err(first)
        const reports = results
          .flatMap((result) => result.unwrapOr([]))
          .filter(({ isDefault }) => defaults || !isDefault)
        return ok({ reports, unavailable })
      })(),
    )

  return {
    ofVolume,
    find: (uuid, index) =>
      // An id of a client is a text, and is looked up unchecked.
      ResultAsync.fromSafePromise(volumes.find(uuid as VolumeId))
        .andThen((volume) => (volume ? ofVolume(volume) : ok([])))
        .andThen((reports) => {
          const found = reports.find((report) => report.index === index)
          return found ? ok(found) : err({ type: 'quota-report-not-found', volume: uuid, index } as const)
        }),
    list: ({ defaults = true, ...request }) =>
      collect(request.query, defaults).map(({ reports, unavailable }) => ({
        ...pageInMemory(quotaReportFields, reports, request),
        unavailable,
      })),
    count: ({ query, defaults = true }) =>
      collect(query, defaults).map(({ reports, unavailable }) => ({
        count: reports.filter(compileQuery(quotaReportFields, query)).length,
        unavailable,
      })),
  }
}

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

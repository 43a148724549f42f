import { err, ok, ResultAsync } from 'neverthrow'
import type { QuotaReportError, QuotaReports } from '../quota-reports/quota-reports.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { VolumeError, Volumes } from '../volumes/volumes.ts'
import type { UsagePoint, UsageResolution } from './usage-point.ts'

/** The period of a history that ends now: 1 hour, 1 day, 7 days, 31 days or 365 days. */
export type UsagePeriod = 'hour' | 'day' | 'week' | 'month' | 'year'

export const usagePeriods = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly UsagePeriod[]

/** The usage of volumes and of quota targets over time, where the host has switched the history on. */
export interface UsageHistory {
  /** Returns the points of a volume in the order of time. An hour and a day have samples, longer periods roll-ups. */
  ofVolume(volume: string, period: UsagePeriod): ResultAsync<readonly UsagePoint[], VolumeError>
  /** Returns the points of a quota report, also of one that no longer exists, in the order of time. */
  ofReport(volume: string, index: number, period: UsagePeriod): ResultAsync<readonly UsagePoint[], QuotaReportError>
}

export interface UsageHistoryOptions {
  readonly repositories: Pick<StorageRepositories, 'usageHistory'>
  readonly volumes: Pick<Volumes, 'find'>
  readonly quotaReports: Pick<QuotaReports, 'find'>
  readonly now: () => Date
}

const HOUR_MS = 3_600_000

const periods: Readonly<Record<UsagePeriod, { readonly hours: number; readonly resolution: UsageResolution }>> = {
  hour: { hours: 1, resolution: 'sample' },
  day: { hours: 24, resolution: 'sample' },
  week: { hours: 7 * 24, resolution: 'half-hour' },
  month: { hours: 31 * 24, resolution: 'two-hours' },
  year: { hours: 365 * 24, resolution: 'day' },
}

export function createUsageHistory({ repositories, volumes, quotaReports, now }: UsageHistoryOptions): UsageHistory {
  const { usageHistory } = repositories
  const request = (period: UsagePeriod) => {
    const { hours, resolution } = periods[period]
    const to = now()
    return { resolution, from: new Date(to.getTime() - hours * HOUR_MS), to }
  }
  return {
    ofVolume: (uuid, period) =>
      volumes
        .find(uuid)
        .andThen((volume) =>
          ResultAsync.fromSafePromise(usageHistory.list({ volume: volume.uuid, ...request(period) })),
        ),
    ofReport: (uuid, index, period) =>
      volumes
        .find(uuid)
        .mapErr(() => ({ type: 'quota-report-not-found', volume: uuid, index }) as const)
        .andThen((volume) =>
          ResultAsync.fromSafePromise(usageHistory.has(volume.uuid, index)).andThen((has) =>
            has
              ? ResultAsync.fromSafePromise(
                  usageHistory.list({ volume: volume.uuid, target: index, ...request(period) }),
                )
              : exists(quotaReports, uuid, index),
          ),
        ),
  }
}

/** The empty history of a report that has no sample yet. */
const exists = (
  reports: Pick<QuotaReports, 'find'>,
  volume: string,
  index: number,
): ResultAsync<readonly UsagePoint[], QuotaReportError> =>
  reports
    .find(volume, index, { files: false })
    .map(() => [])
    .orElse((error) => (error.type === 'quota-report-not-found' ? err(error) : ok([])))

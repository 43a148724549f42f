import { jsonInteger } from '@trivium/http-contract'
import type { Storage } from '../../create-storage.ts'
import {
  percentOf,
  type QuotaReport,
  type QuotaReportField,
  quotaReportFields,
} from '../../quota-reports/quota-report.ts'
import type { UnavailableUsage } from '../../quota-reports/quota-reports.ts'
import type { WatchedGrace, WatchedLimit } from '../../quota-reports/watched-limit.ts'
import type { Size } from '../../sizes/size.ts'
import { isSelected, type WireRecord } from '../collections/field-selection.ts'
import type { RecordSource } from '../collections/list-records.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { LinkTo } from '../links-from.ts'
import { qtreeReference, svmToWire, volumeReference } from '../references.ts'
import { formatDuration } from '../tokens/duration.ts'
import { reportWireFields } from './report-fields.ts'

const REPORTS_PATH = '/api/storage/quota/reports'

export const reportPath = (volume: string, index: number): string => `${REPORTS_PATH}/${volume}/${index}`

/** The members for which files are counted, which a file system may do by a walk. */
export const USED_FILES = 'files.used'

const watchedMembers = ['soft_limit_exceeded_time', 'grace', 'thresholds', 'exceeded_thresholds']

const timeToWire = (time: Date): string => `${time.toISOString().slice(0, 19)}+00:00`

function graceToWire({ periodSeconds, enforcedBy, startedAt, endsAt, hasEnded }: WatchedGrace, now: Date) {
  const left = endsAt && Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
  return {
    period: formatDuration(periodSeconds),
    enforced_by: enforcedBy,
    ...(startedAt && { start_time: timeToWire(startedAt) }),
    ...(endsAt && { end_time: timeToWire(endsAt) }),
    ...(left !== undefined && { left: formatDuration(left) }),
    expired: hasEnded,
  }
}

const watchedToWire = ({ exceededSince, grace, thresholds, reachedThresholds }: WatchedLimit, now: Date) => ({
  ...(exceededSince && { soft_limit_exceeded_time: timeToWire(exceededSince) }),
  ...(grace && { grace: graceToWire(grace, now) }),
  ...(thresholds.length > 0 && { thresholds, exceeded_thresholds: reachedThresholds }),
})

const sizeToWire = (size: Size): unknown => (typeof size === 'bigint' ? jsonInteger(size) : size)

const amountToWire = (used: number | undefined, hard: Size | undefined, soft: Size | undefined) => ({
  ...(hard !== undefined && { hard_limit: sizeToWire(hard) }),
  ...(soft !== undefined && { soft_limit: sizeToWire(soft) }),
  used: {
    ...(used !== undefined && { total: used }),
    ...(used !== undefined && soft !== undefined && { soft_limit_percent: percentOf(used, soft) }),
    ...(used !== undefined && hard !== undefined && { hard_limit_percent: percentOf(used, hard) }),
  },
})

export const reportToWire = (report: QuotaReport, links: LinkTo | undefined, now: Date): WireRecord => ({
  svm: svmToWire(report.svm, links),
  volume: volumeReference(report.volume, links),
  index: report.index,
  type: report.type,
  ...(report.type === 'user' && { users: report.users }),
  ...(report.group && { group: report.group }),
  ...(report.qtree && { qtree: qtreeReference(report.volume.uuid, report.qtree.name, report.qtree.id, links) }),
  space: {
    ...amountToWire(report.used.space, report.limits.spaceHard, report.limits.spaceSoft),
    ...(report.watched.space && watchedToWire(report.watched.space, now)),
  },
  files: {
    ...amountToWire(report.used.files, report.limits.filesHard, report.limits.filesSoft),
    ...(report.watched.files && watchedToWire(report.watched.files, now)),
  },
  ...(links && { _links: links(reportPath(report.volume.uuid, report.index)) }),
})

export function reportSource({ quotaReports, now }: Storage): RecordSource<QuotaReport, QuotaReportField> {
  return {
    records: {
      path: REPORTS_PATH,
      catalogue: quotaReportFields,
      fields: reportWireFields,
      listed: ['svm', 'volume', 'index'],
      computed: new Set(['space', 'files'].flatMap((of) => watchedMembers.map((member) => `${of}.${member}`))),
    },
    list: (request, { showDefaultRecords: defaults = true }, answer) =>
      quotaReports
        .list({ ...request, defaults, files: answer !== undefined && isSelected(answer.selection, USED_FILES) })
        .andTee(({ unavailable }) => warnAbout(unavailable, answer?.warn))
        .mapErr(toFailure),
    count: (query, { showDefaultRecords: defaults = true }, warn) =>
      quotaReports
        .count({ query, defaults })
        .andTee(({ unavailable }) => warnAbout(unavailable, warn))
        .map(({ count }) => count)
        .mapErr(toFailure),
    toWire: (report, { links }) => reportToWire(report, links, now()),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}

function warnAbout(unavailable: readonly UnavailableUsage[], warn: (failure: Failure) => void = () => undefined): void {
  for (const usage of unavailable) warn(toFailure(usage))
}

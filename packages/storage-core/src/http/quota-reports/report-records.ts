import type { Storage } from '../../create-storage.ts'
import {
  percentOf,
  type QuotaReport,
  type QuotaReportField,
  quotaReportFields,
} from '../../quota-reports/quota-report.ts'
import type { UnavailableUsage } from '../../quota-reports/quota-reports.ts'
import type { RecordSource } from '../collections/list-records.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { qtreeReference, svmToWire, volumeReference } from '../references.ts'
import { reportWireFields } from './report-fields.ts'

const REPORTS_PATH = '/api/storage/quota/reports'

const amountToWire = (used: number, hard: number | undefined, soft: number | undefined) => ({
  ...(hard !== undefined && { hard_limit: hard }),
  ...(soft !== undefined && { soft_limit: soft }),
  used: {
    total: used,
    ...(soft !== undefined && { soft_limit_percent: percentOf(used, soft) }),
    ...(hard !== undefined && { hard_limit_percent: percentOf(used, hard) }),
  },
})

export function reportSource({ quotaReports }: Storage): RecordSource<QuotaReport, QuotaReportField> {
  return {
    records: {
      path: REPORTS_PATH,
      catalogue: quotaReportFields,
      fields: reportWireFields,
      listed: ['svm', 'volume', 'index'],
    },
    list: (request, { showDefaultRecords: defaults = true }, warn) =>
      quotaReports
        .list({ ...request, defaults })
        .andTee(({ unavailable }) => warnAbout(unavailable, warn))
        .mapErr(toFailure),
    count: (query, { showDefaultRecords: defaults = true }, warn) =>
      quotaReports
        .count({ query, defaults })
        .andTee(({ unavailable }) => warnAbout(unavailable, warn))
        .map(({ count }) => count)
        .mapErr(toFailure),
    toWire: (report, { links }) => ({
      svm: svmToWire(report.svm, links),
      volume: volumeReference(report.volume, links),
      index: report.index,
      type: report.type,
      ...(report.type === 'user' && { users: report.users }),
      ...(report.group && { group: report.group }),
      ...(report.qtree && { qtree: qtreeReference(report.volume.uuid, report.qtree.name, report.qtree.id, links) }),
      space: amountToWire(report.used.space, report.limits.spaceHard, report.limits.spaceSoft),
      files: amountToWire(report.used.files, report.limits.filesHard, report.limits.filesSoft),
      ...(links && { _links: links(`${REPORTS_PATH}/${report.volume.uuid}/${report.index}`) }),
    }),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}

function warnAbout(unavailable: readonly UnavailableUsage[], warn: (failure: Failure) => void = () => undefined): void {
  for (const usage of unavailable) warn(toFailure(usage))
}

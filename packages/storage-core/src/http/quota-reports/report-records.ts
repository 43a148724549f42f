import type { Storage } from '../../create-storage.ts'
import {
  percentOf,
  type QuotaReport,
  type QuotaReportField,
  quotaReportFields,
} from '../../quota-reports/quota-report.ts'
import type { UnavailableUsage } from '../../quota-reports/quota-reports.ts'
import { isSelected } from '../collections/field-selection.ts'
import type { RecordSource } from '../collections/list-records.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { qtreeReference, svmToWire, volumeReference } from '../references.ts'
import { reportWireFields } from './report-fields.ts'

const REPORTS_PATH = '/api/storage/quota/reports'

export const reportPath = (volume: string, index: number): string => `${REPORTS_PATH}/${volume}/${index}`

/** The members for which files are counted, which a file system may do by a walk. */
export const USED_FILES = 'files.used'

const amountToWire = (used: number | undefined, hard: number | undefined, soft: number | undefined) => ({
  ...(hard !== undefined && { hard_limit: hard }),
  ...(soft !== undefined && { soft_limit: soft }),
  used: {
    ...(used !== undefined && { total: used }),
    ...(used !== undefined && soft !== undefined && { soft_limit_percent: percentOf(used, soft) }),
    ...(used !== undefined && hard !== undefined && { hard_limit_percent: percentOf(used, hard) }),
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
      ...(links && { _links: links(reportPath(report.volume.uuid, report.index)) }),
    }),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}

function warnAbout(unavailable: readonly UnavailableUsage[], warn: (failure: Failure) => void = () => undefined): void {
  for (const usage of unavailable) warn(toFailure(usage))
}

import type { QuotaReportField } from '../../quota-reports/quota-report.ts'
import type { WireFields } from '../collections/wire-field.ts'

/** The wire names of a report's fields. */
export const reportWireFields: WireFields<QuotaReportField> = {
  'svm.uuid': { field: 'svmUuid' },
  'svm.name': { field: 'svmName' },
  'volume.uuid': { field: 'volumeUuid' },
  'volume.name': { field: 'volumeName' },
  index: { field: 'index' },
  type: { field: 'type' },
  'users.name': { field: 'userName', idField: 'userId' },
  'users.id': { field: 'userId' },
  'group.name': { field: 'groupName', idField: 'groupId' },
  'group.id': { field: 'groupId' },
  'qtree.name': { field: 'qtreeName' },
  'qtree.id': { field: 'qtreeId' },
  'space.hard_limit': { field: 'spaceHard' },
  'space.soft_limit': { field: 'spaceSoft' },
  'space.used.total': { field: 'spaceUsed' },
  'space.used.hard_limit_percent': { field: 'spaceHardPercent' },
  'space.used.soft_limit_percent': { field: 'spaceSoftPercent' },
  'files.hard_limit': { field: 'filesHard' },
  'files.soft_limit': { field: 'filesSoft' },
  'files.used.total': { field: 'filesUsed' },
  'files.used.hard_limit_percent': { field: 'filesHardPercent' },
  'files.used.soft_limit_percent': { field: 'filesSoftPercent' },
}

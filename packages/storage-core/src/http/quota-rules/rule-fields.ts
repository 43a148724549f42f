import type { QuotaRuleField } from '../../quota-rules/quota-rule.ts'
import type { WireFields } from '../collections/wire-field.ts'
import { parseDurationFilter } from '../tokens/duration.ts'

/** The wire names of a rule's fields. Their types are in the field catalogue of the domain. */
export const ruleWireFields: WireFields<QuotaRuleField> = {
  'svm.uuid': { field: 'svmUuid' },
  'svm.name': { field: 'svmName' },
  'volume.uuid': { field: 'volumeUuid' },
  'volume.name': { field: 'volumeName' },
  uuid: { field: 'uuid' },
  type: { field: 'type' },
  'users.name': { field: 'userName', idField: 'userId' },
  'users.id': { field: 'userId' },
  'group.name': { field: 'groupName', idField: 'groupId' },
  'group.id': { field: 'groupId' },
  'qtree.name': { field: 'qtreeName' },
  'qtree.id': { field: 'qtreeId' },
  user_mapping: { field: 'userMapping' },
  'space.hard_limit': { field: 'spaceHard' },
  'space.soft_limit': { field: 'spaceSoft' },
  'files.hard_limit': { field: 'filesHard' },
  'files.soft_limit': { field: 'filesSoft' },
  grace_period: { field: 'gracePeriodSeconds', parse: parseDurationFilter },
}

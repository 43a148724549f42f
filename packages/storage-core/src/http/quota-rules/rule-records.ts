import type { Storage } from '../../create-storage.ts'
import type { QuotaLimits } from '../../quota-rules/quota-limits.ts'
import { type QuotaRule, type QuotaRuleField, quotaRuleFields } from '../../quota-rules/quota-rule.ts'
import type { QuotaTarget } from '../../quota-rules/quota-target.ts'
import { selfLink } from '../collections/answers.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { always, type RecordSource } from '../collections/list-records.ts'
import { qtreeReference, svmToWire, volumeReference } from '../references.ts'

export const RULES_PATH = '/api/storage/quota/rules'

export const rulePath = ({ uuid }: QuotaRule): string => `${RULES_PATH}/${uuid}`

const limitsToWire = ({ spaceHard, spaceSoft, filesHard, filesSoft }: QuotaLimits) => ({
  ...((spaceHard !== undefined || spaceSoft !== undefined) && { space: pair(spaceHard, spaceSoft) }),
  ...((filesHard !== undefined || filesSoft !== undefined) && { files: pair(filesHard, filesSoft) }),
})

const pair = (hard: number | undefined, soft: number | undefined) => ({
  ...(hard !== undefined && { hard_limit: hard }),
  ...(soft !== undefined && { soft_limit: soft }),
})

/** What is not set is absent. */
export const ruleToWire = (rule: QuotaRule, links: boolean): WireRecord => ({
  svm: svmToWire(rule.svm, links),
  volume: volumeReference(rule.volume, links),
  uuid: rule.uuid,
  type: rule.target.type,
  ...principals(rule.target),
  ...(rule.target.qtree !== undefined && {
    qtree: qtreeReference(rule.volume.uuid, rule.target.qtree, rule.qtreeId, links),
  }),
  ...(rule.userMapping !== undefined && { user_mapping: rule.userMapping }),
  ...limitsToWire(rule.limits),
  ...(links && { _links: selfLink(rulePath(rule)) }),
})

const principals = (target: QuotaTarget) => {
  if (target.type === 'user') return { users: target.users }
  return target.type === 'group' ? { group: target.group } : {}
}

export function ruleSource({ quotaRules }: Storage): RecordSource<QuotaRule, QuotaRuleField> {
  return {
    records: {
      path: RULES_PATH,
      catalogue: quotaRuleFields,
      fields: {
        uuid: { field: 'uuid' },
        'svm.uuid': { field: 'svmUuid' },
        'svm.name': { field: 'svmName' },
        'volume.uuid': { field: 'volumeUuid' },
        'volume.name': { field: 'volumeName' },
        type: { field: 'type' },
        'users.name': { field: 'userName' },
        'users.id': { field: 'userId' },
        'group.name': { field: 'groupName' },
        'group.id': { field: 'groupId' },
        'qtree.name': { field: 'qtreeName' },
        'qtree.id': { field: 'qtreeId' },
        user_mapping: { field: 'userMapping' },
        'space.hard_limit': { field: 'spaceHard' },
        'space.soft_limit': { field: 'spaceSoft' },
        'files.hard_limit': { field: 'filesHard' },
        'files.soft_limit': { field: 'filesSoft' },
      },
      shorthands: {
        svm: 'svm.name',
        volume: 'volume.name',
        users: 'users.name',
        group: 'group.name',
        qtree: 'qtree.name',
      },
      listed: ['svm', 'volume', 'uuid'],
    },
    list: (request) => always(quotaRules.list(request)),
    count: (query) => always(quotaRules.count(query)),
    toWire: (rule, { links }) => ruleToWire(rule, links),
    svmField: 'svmUuid',
  }
}

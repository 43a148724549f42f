import type { QuotaRule } from '@trivium/storage-core'
import {
  type Principal,
  type QuotaLimits,
  type QuotaRuleField,
  type QuotaTarget,
  quotaRuleFields,
} from '@trivium/storage-core/ports'
import { columnOfMany, type RecordSource } from './queries/record-source.ts'
import { ruleOrders } from './rule-orders.ts'
import type { QuotaRuleRow, QuotaRuleUserRow } from './storage-tables.ts'
import { fromStored } from './stored-size.ts'

export const quotaRuleSource: RecordSource<QuotaRule, QuotaRuleField, QuotaRuleRow> = {
  table: 'storage_quota_rules',
  catalogue: quotaRuleFields,
  optional: [
    'groupName',
    'groupId',
    'qtreeName',
    'qtreeId',
    'userMapping',
    'spaceHard',
    'spaceSoft',
    'filesHard',
    'filesSoft',
    'gracePeriodSeconds',
  ],
  elsewhere: {
    userName: columnOfMany('storage_quota_rule_users', 'rule_uuid', 'name'),
    userId: columnOfMany('storage_quota_rule_users', 'rule_uuid', 'id'),
  },
  indexes: ruleOrders,
  fromRow,
}

export function toRow(rule: QuotaRule): QuotaRuleRow {
  const { target } = rule
  return {
    uuid: rule.uuid,
    svm_uuid: rule.svm.uuid,
    svm_name: rule.svm.name,
    volume_uuid: rule.volume.uuid,
    volume_name: rule.volume.name,
    type: target.type,
    users: target.type === 'user' ? JSON.stringify(target.users) : null,
    group_name: target.type === 'group' && 'name' in target.group ? target.group.name : null,
    group_id: target.type === 'group' && 'id' in target.group ? target.group.id : null,
    qtree_name: target.qtree ?? null,
    qtree_id: rule.qtreeId ?? null,
    user_mapping: rule.userMapping === undefined ? null : Number(rule.userMapping),
    space_hard: rule.limits.spaceHard ?? null,
    space_soft: rule.limits.spaceSoft ?? null,
    files_hard: rule.limits.filesHard ?? null,
    files_soft: rule.limits.filesSoft ?? null,
    grace_period_seconds: rule.gracePeriodSeconds ?? null,
    thresholds: rule.thresholds ? JSON.stringify(rule.thresholds) : null,
  }
}

/** Whether a row has a limit that a number would round. */
export const hasLargeSize = ({ space_hard, space_soft, files_hard, files_soft }: QuotaRuleRow): boolean =>
  [space_hard, space_soft, files_hard, files_soft].some((size) => typeof size === 'bigint')

export function userRows({ uuid, target }: QuotaRule): readonly QuotaRuleUserRow[] {
  if (target.type !== 'user') return []
  return target.users.map((user, position) => ({
    rule_uuid: uuid,
    position,
    name: 'name' in user ? user.name : null,
    id: 'id' in user ? user.id : null,
  }))
}

export function fromRow(row: QuotaRuleRow): QuotaRule {
  const limits: { -readonly [Name in keyof QuotaLimits]: QuotaLimits[Name] } = {}
  if (row.space_hard !== null) limits.spaceHard = fromStored(row.space_hard)
  if (row.space_soft !== null) limits.spaceSoft = fromStored(row.space_soft)
  if (row.files_hard !== null) limits.filesHard = fromStored(row.files_hard)
  if (row.files_soft !== null) limits.filesSoft = fromStored(row.files_soft)
  return {
    // Ids are stored as they were in the rule.
    uuid: row.uuid as QuotaRule['uuid'],
    svm: { uuid: row.svm_uuid as QuotaRule['svm']['uuid'], name: row.svm_name },
    volume: { uuid: row.volume_uuid as QuotaRule['volume']['uuid'], name: row.volume_name },
    target: targetOf(row),
    ...(row.qtree_id !== null && { qtreeId: row.qtree_id }),
    ...(row.user_mapping !== null && { userMapping: row.user_mapping === 1 }),
    limits,
    ...(row.grace_period_seconds !== null && { gracePeriodSeconds: row.grace_period_seconds }),
    // `toRow` created the list.
    ...(row.thresholds !== null && { thresholds: JSON.parse(row.thresholds) as number[] }),
  }
}

function targetOf({ type, users, group_name, group_id, qtree_name }: QuotaRuleRow): QuotaTarget {
  if (type === 'tree') return { type, qtree: qtree_name ?? '' }
  const scope = qtree_name === null ? {} : { qtree: qtree_name }
  // `toRow` created the list from a rule's users.
  if (type === 'user') return { type, users: JSON.parse(users ?? '[]') as [Principal], ...scope }
  return { type: 'group', group: group_id === null ? { name: group_name ?? '' } : { id: group_id }, ...scope }
}

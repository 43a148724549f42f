import type { QuotaRule } from '../../quota-rules/quota-rule.ts'
import type { RuleImportChange, RuleImportPlan } from '../../rule-imports/rule-import.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { ruleToWire } from '../quota-rules/rule-records.ts'
import { identityNames } from './import-operations.ts'

export function countsOf({ changes, unchanged }: RuleImportPlan): WireRecord {
  const count = (action: RuleImportChange['action']) => changes.filter((change) => change.action === action).length
  return {
    num_records: changes.length,
    num_created: count('create'),
    num_modified: count('modify'),
    num_deleted: count('delete'),
    num_unchanged: unchanged,
  }
}

/** Returns a difference as a record. A rule that is created has no UUID yet. */
export function changeToWire(change: RuleImportChange, { links }: Pick<Caller, 'links'>): WireRecord {
  const { action } = change
  const before = action === 'create' ? undefined : change.before
  const after = action === 'delete' ? undefined : change.after
  const rule = before ?? after
  if (!rule) return { action }
  const { uuid, ...place } = membersOf(ruleToWire(rule, links), true)
  return {
    ...(action !== 'delete' && { line: change.line }),
    action,
    ...(before && { uuid }),
    ...place,
    ...(before && { before: settingsOf(before) }),
    ...(after && { after: settingsOf(after) }),
  }
}

const settingsOf = (rule: QuotaRule): WireRecord => membersOf(ruleToWire(rule, undefined), false)

const membersOf = (record: WireRecord, ofIdentity: boolean): WireRecord =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== '_links' && identityNames.includes(name) === ofIdentity),
  )

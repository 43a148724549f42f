import type { Storage } from '../../create-storage.ts'
import { type QuotaRule, type QuotaRuleField, quotaRuleFields } from '../../quota-rules/quota-rule.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { recordBuilder } from '../collections/record-builder.ts'
import type { WireRecords } from '../collections/wire-field.ts'
import type { LinkTo } from '../links-from.ts'
import { qtreeReference, svmToWire, volumeReference } from '../references.ts'
import { formatDuration } from '../tokens/duration.ts'
import { ruleWireFields } from './rule-fields.ts'

export const RULES_PATH = '/api/storage/quota/rules'

const ruleRecords: WireRecords<QuotaRule, QuotaRuleField> = {
  path: RULES_PATH,
  catalogue: quotaRuleFields,
  fields: ruleWireFields,
  listed: ['svm', 'volume', 'uuid'],
  computed: new Set(['thresholds']),
}

const buildRecord = recordBuilder(ruleRecords)

export const rulePath = ({ uuid }: QuotaRule): string => `${RULES_PATH}/${uuid}`

/** Returns a rule as a record. Unset fields are absent. */
export function ruleToWire(rule: QuotaRule, links: LinkTo | undefined): WireRecord {
  const { svm, volume, target, qtreeId, gracePeriodSeconds, thresholds } = rule
  const members = buildRecord(rule, {
    svm: svmToWire(svm, links),
    volume: volumeReference(volume, links),
    users: target.type === 'user' ? target.users : undefined,
    qtree: target.qtree === undefined ? undefined : qtreeReference(volume.uuid, target.qtree, qtreeId, links),
    grace_period: gracePeriodSeconds === undefined ? undefined : formatDuration(gracePeriodSeconds),
  })
  return { ...members, ...(thresholds && { thresholds }), ...(links && { _links: links(rulePath(rule)) }) }
}

export function ruleSource({ quotaRules }: Storage): RecordSource<QuotaRule, QuotaRuleField> {
  return {
    records: ruleRecords,
    list: (request) => asResult(quotaRules.list(request)),
    count: (query) => asResult(quotaRules.count(query)),
    toWire: (rule, { links }) => ruleToWire(rule, links),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}

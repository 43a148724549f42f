import { isObject } from '@trivium/http-contract'
import type { Page, Position } from '../../query/page.ts'
import { type QuotaRule, quotaRuleFields } from '../../quota-rules/quota-rule.ts'
import { nextTurn } from '../../scheduling/next-turn.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { ruleWireFields } from '../quota-rules/rule-fields.ts'
import { ruleToWire } from '../quota-rules/rule-records.ts'
import { printCells, printValues } from './csv-cells.ts'
import type { RuleFormat } from './import-formats.ts'
import { type RuleColumn, ruleColumns } from './rule-columns.ts'

/** Ids are those of this cluster. Names are enough, because a volume has one in its SVM. */
const columns: readonly RuleColumn[] = [...ruleColumns.values()].filter(
  ({ name }) => name !== 'svm.uuid' && name !== 'volume.uuid',
)

export const RULES_PER_PAGE = 1000

/** Writes rules page by page, each line as an import reads it. */
export async function* exportRules(
  format: RuleFormat,
  readPage: (start: Position | undefined) => Promise<Page<QuotaRule>>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const print = format === 'csv' ? csvLine : jsonLine
  const header = format === 'csv' ? `${printCells(columns.map(({ name }) => name))}\n` : ''
  let page = await readPage(undefined)
  yield encoder.encode(header + page.records.map(print).join(''))
  while (page.next) {
    await nextTurn()
    page = await readPage(page.next)
    yield encoder.encode(page.records.map(print).join(''))
  }
}

const csvLine = (rule: QuotaRule): string =>
  `${printCells(columns.map(({ name, list }) => printValues(valuesOf(rule, name), list !== undefined)))}\n`

/** Returns the values of a field of a rule, none where it is not set. */
function valuesOf(rule: QuotaRule, name: string): readonly string[] {
  const wire = ruleWireFields[name]
  const value = wire && 'field' in wire ? quotaRuleFields.fields[wire.field].read(rule) : undefined
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}

const jsonLine = (rule: QuotaRule): string => `${JSON.stringify(settable(ruleToWire(rule, undefined)))}\n`

const settableNames: ReadonlySet<string> = new Set(
  columns.flatMap(({ name, list }) => (list ? [name, list.member] : [name])),
)

/** Returns the members of a record that the body of a new rule can have. */
function settable(record: WireRecord, place = ''): WireRecord {
  const members: { [name: string]: unknown } = {}
  for (const [key, value] of Object.entries(record)) {
    const name = `${place}${key}`
    if (settableNames.has(name)) members[key] = value
    else if (isObject(value) && !Array.isArray(value)) {
      const inner = settable(value, `${name}.`)
      if (Object.keys(inner).length > 0) members[key] = inner
    }
  }
  return members
}

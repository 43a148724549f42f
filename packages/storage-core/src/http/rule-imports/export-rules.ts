import { exactJson, isObject } from '@trivium/http-contract'
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

export const RULES_PER_PAGE = 500

/** Writes rules page by page, each line as an import reads it. `first` is the first page. */
export async function* exportRules(
  format: RuleFormat,
  first: Page<QuotaRule>,
  readPage: (start: Position) => Promise<Page<QuotaRule>>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const print = format === 'csv' ? csvLine : jsonLine
  const header = format === 'csv' ? `${printCells(columns.map(({ name }) => name))}\n` : ''
  let page = first
  yield encoder.encode(header + page.records.map(print).join(''))
  while (page.next) {
    await nextTurn()
    page = await readPage(page.next)
    yield encoder.encode(page.records.map(print).join(''))
  }
}

function csvLine(rule: QuotaRule): string {
  const record = ruleToWire(rule, undefined)
  const cells = columns.map(({ name, list }) =>
    printValues(list ? itemsOf(record[list.member], list.key) : textOf(rule, name), list !== undefined),
  )
  return `${printCells(cells)}\n`
}

/** Returns the value of a field of a rule, or none where it is not set. */
function textOf(rule: QuotaRule, name: string): readonly string[] {
  const wire = ruleWireFields[name]
  const value = wire && 'field' in wire ? quotaRuleFields.fields[wire.field].read(rule) : undefined
  return value === undefined ? [] : [String(value)]
}

/** Returns the items of a list, or one member of each. Digits are ids also as names, which keeps the order of most lists. */
function itemsOf(items: unknown, key: string): readonly string[] {
  return (Array.isArray(items) ? items : []).flatMap((item: unknown): string | readonly string[] => {
    if (!isObject(item)) return String(item)
    const { id } = item
    if (typeof id !== 'string' || !/^\d+$/.test(id)) return key in item ? String(item[key]) : []
    return key === 'name' ? id : []
  })
}

const jsonLine = (rule: QuotaRule): string => `${exactJson(settable(ruleToWire(rule, undefined)))}\n`

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

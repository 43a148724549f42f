import type { QuotaRule } from '@trivium/storage-core'
import {
  compileQuery,
  type OrderBy,
  type Position,
  pageInMemory,
  type Query,
  type QuotaRuleField,
  type QuotaRuleId,
  quotaRuleFields,
  type SvmId,
  type VolumeId,
} from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { toRow, userRows } from '../src/storage/quota-rule-row.ts'
import { sqlQuotaRules } from '../src/storage/sql-quota-rules.ts'

/** More than a list on SQLite reads at a time, and more than it sorts. */
const RULES = 24_000
const BATCH = 1_000

const rules = Array.from({ length: RULES }, (_, index): QuotaRule => {
  const volume = `vol${index % 3}`
  return {
    // Ids are opaque to repositories.
    uuid: String((index * 7_919) % RULES).padStart(6, '0') as QuotaRuleId,
    svm: { uuid: 'svm1' as SvmId, name: 'svm1' },
    volume: { uuid: volume as VolumeId, name: volume },
    target:
      index % 4 === 0
        ? { type: 'user', users: [{ name: `user${index}` }] }
        : { type: 'tree', qtree: `qtree${index % 6_000}` },
    limits: { ...(index % 5 > 0 && { spaceHard: index % 900 }), ...(index % 2 > 0 && { filesHard: index }) },
  }
})

const by = (...fields: readonly (QuotaRuleField | `${QuotaRuleField} desc`)[]): readonly OrderBy<QuotaRuleField>[] =>
  fields.map((field) => {
    const name = field.replace(' desc', '')
    const known = Object.keys(quotaRuleFields.fields).find((one): one is QuotaRuleField => one === name)
    return { field: known ?? 'uuid', descending: field.endsWith(' desc') }
  })
const equal = (field: QuotaRuleField, value: string | number) =>
  ({ any: [{ field, negated: false, term: { kind: 'equals', value } }] }) as const
const like = (field: QuotaRuleField, ...parts: readonly string[]) =>
  ({ any: [{ field, negated: false, term: { kind: 'pattern', parts } }] }) as const

const queries: Readonly<Record<string, Query<QuotaRuleField>>> = {
  everything: { all: [] },
  'one SVM': { all: [equal('svmName', 'svm1')] },
  'a type, without an index': { all: [equal('type', 'user')] },
  'an SVM and a part of a name': { all: [equal('svmName', 'svm1'), like('qtreeName', '', '99', '')] },
  'no match, without an index': { all: [like('qtreeName', '', 'nothing', '')] },
  'a volume and a type': { all: [equal('volumeName', 'vol1'), equal('type', 'tree')] },
  'three keys': {
    all: [{ any: ['000005', '012000', '023000'].map((value) => equal('uuid', value).any[0]) }],
  },
  'one user': { all: [equal('userName', 'user4000')] },
}
const orders: Readonly<Record<string, readonly OrderBy<QuotaRuleField>[]>> = {
  'by key': [],
  'by key, last first': by('uuid desc'),
  'by limit, largest first': by('spaceHard desc'),
  'by qtree and volume': by('qtreeName', 'volumeName'),
  'by qtree and volume, last first': by('qtreeName desc', 'volumeName desc'),
  'by volume, and limit in the other direction': by('volumeName', 'spaceHard desc'),
  'by type': by('type'),
}

describe('the list of more rules than SQLite reads at a time', () => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase('memory:')
    await migrateStorage(database)
    const insert = async (table: string, rows: readonly object[]) => {
      const [first = {}] = rows
      const names = sql.join(Object.keys(first).map((name) => sql.ref(name)))
      const values = sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`))
      await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(database.kysely)
    }
    for (let start = 0; start < RULES; start += BATCH) {
      const batch = rules.slice(start, start + BATCH)
      await insert('storage_quota_rules', batch.map(toRow))
      await insert('storage_quota_rule_users', batch.flatMap(userRows))
    }
  }, 60_000)
  afterAll(() => database.close())

  describe.each(Object.entries(queries))('of %s', (_, query) => {
    it.each(Object.entries(orders))('returns the pages of the in-memory evaluator, %s', async (_order, order) => {
      let start: Position | undefined
      for (let page = 0; page < 3; page += 1) {
        const request = { query, order, limit: 700, ...(start && { start }) }
        const expected = pageInMemory(quotaRuleFields, rules, request)
        expect(await sqlQuotaRules(database).list(request)).toEqual(expected)
        if (!expected.next) return
        // The next page, and then one near the end.
        start = page === 0 ? expected.next : pageInMemory(quotaRuleFields, rules, { query, order, limit: 10_000 }).next
        if (!start) return
      }
    })

    it('counts as the in-memory evaluator does', async () => {
      expect(await sqlQuotaRules(database).count(query)).toBe(rules.filter(compileQuery(quotaRuleFields, query)).length)
    })
  })

  it('lets other work run between the steps', async () => {
    let turns = 0
    let isListing = true
    const turn = () => {
      turns += 1
      if (isListing) setImmediate(turn)
    }
    setImmediate(turn)
    await sqlQuotaRules(database).list({ query: { all: [like('qtreeName', '', 'nothing', '')] }, order: [], limit: 10 })
    isListing = false
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})

import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'
import type { GatewayTables } from '../gateway-tables.ts'
import { HOUR_MS, sumsOf, sumWriter, type UsageCounts } from '../usage-sums.ts'

const MEMBER_LENGTH = 128
const DIGEST_LENGTH = 64

/** Sums the existing records again, since sums have more members, one hour at a time, so that they are never all in memory. */
export async function usageDetail(schema: Schema): Promise<void> {
  const { createTable, createIndex, types, kysely, dialect } = schema
  await addColumns(schema)
  await createTable('gateway_usage_tags')
    .addColumn('tag_set', types.varchar(DIGEST_LENGTH), (column) => column.notNull())
    .addColumn('tag', types.varchar(DIGEST_LENGTH), (column) => column.notNull())
    .addColumn('last_used', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_usage_tags_key', ['tag_set', 'tag'])
    .execute()
  await createIndex('gateway_usage_tags_age', 'gateway_usage_tags', ['last_used'])
  await createIndex('gateway_usage_tags_tag', 'gateway_usage_tags', ['tag'])

  const tables = kysely.$extendTables<GatewayTables>()
  const writeSums = sumWriter(tables, dialect)
  await tables.deleteFrom('gateway_usage_sums').execute()
  for (let from = 0; ; from += HOUR_MS) {
    const next = await tables
      .selectFrom('gateway_usage')
      .select('at')
      .where('at', '>=', from)
      .orderBy('at')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return
    from = next.at - (next.at % HOUR_MS)
    const rows = await tables
      .selectFrom('gateway_usage')
      .select(oldColumns)
      .select((is) => [
        is.fn.countAll<number | string>().as('requests'),
        sql<number | string>`sum(case when status >= 400 then 1 else 0 end)`.as('failures'),
        sql<number | string>`sum(partial)`.as('partial'),
        sql<number | string>`sum(input_tokens)`.as('input_tokens'),
        sql<number | string>`sum(output_tokens)`.as('output_tokens'),
        sql<number | string>`sum(images)`.as('images'),
      ])
      .where('at', '>=', from)
      .where('at', '<', from + HOUR_MS)
      .groupBy(oldColumns)
      .execute()
    const used = rows.map((row) => ({ ...noMembers, ...row, at: from, counts: numbers(row) }))
    await writeSums(tables, sumsOf(used, 1))
  }
}

async function addColumns({ addColumn, types }: Schema): Promise<void> {
  for (const table of ['gateway_usage', 'gateway_usage_sums']) {
    const counts = ['cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'searches']
    const sound = table === 'gateway_usage' ? ['audio_input_tokens', 'audio_output_tokens'] : ['audio_tokens']
    for (const name of [...counts, ...sound]) {
      await addColumn(table, { name, type: types.integer, define: (column) => column.notNull().defaultTo(0) })
    }
    for (const name of ['person_id', 'team_id', 'tag_set']) {
      await addColumn(table, { name, type: types.varchar(MEMBER_LENGTH), define: (column) => column })
    }
    await addColumn(table, { name: 'upstream_model', type: types.text, define: (column) => column })
  }
  await addColumn('gateway_usage', { name: 'end_user', type: types.text, define: (column) => column })
  await addColumn('gateway_usage', { name: 'cost', type: types.integer, define: (column) => column })
  const sums = 'gateway_usage_sums'
  await addColumn(sums, { name: 'cost', type: types.integer, define: (column) => column.notNull().defaultTo(0) })
  await addColumn(sums, { name: 'provider', type: types.text, define: (column) => column })
  await addColumn(sums, { name: 'status', type: types.integer, define: (column) => column.notNull().defaultTo(0) })
  await addColumn(sums, {
    name: 'operation',
    type: types.varchar(16),
    define: (column) => column.notNull().defaultTo(''),
  })
}

const oldColumns = ['day', 'key_id', 'model', 'provider', 'status', 'operation'] as const

/** The columns are new, and a database whose SQL is printed lacks them still. */
const noMembers = { person_id: null, team_id: null, tag_set: null, upstream_model: null }

/** Records from before have no details. */
const noDetail = {
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  audio_tokens: 0,
  searches: 0,
  cost: 0,
}

type OldCounts = Omit<UsageCounts, keyof typeof noDetail>

const numbers = (counts: Readonly<Record<keyof OldCounts, number | string>>): UsageCounts => ({
  requests: Number(counts.requests),
  failures: Number(counts.failures),
  partial: Number(counts.partial),
  input_tokens: Number(counts.input_tokens),
  output_tokens: Number(counts.output_tokens),
  images: Number(counts.images),
  ...noDetail,
})

import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'
import type { GatewayTables } from '../gateway-tables.ts'
import { changeSums, HOUR_MS, type UsageCounts } from '../usage-sums.ts'

/** Also sums existing records, one hour at a time, so that they are never all in memory. */
export async function usageSums({ kysely, dialect, createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('gateway_usage_sums')
    .addColumn('span', types.integer, (column) => column.notNull())
    .addColumn('start', types.integer, (column) => column.notNull())
    .addColumn('group_hash', types.varchar(64), (column) => column.notNull())
    .addColumn('key_id', types.varchar(64), (column) => column.notNull())
    .addColumn('model', types.text, (column) => column.notNull())
    .addColumn('day', types.varchar(16), (column) => column.notNull())
    .addColumn('requests', types.integer, (column) => column.notNull())
    .addColumn('failures', types.integer, (column) => column.notNull())
    .addColumn('partial', types.integer, (column) => column.notNull())
    .addColumn('input_tokens', types.integer, (column) => column.notNull())
    .addColumn('output_tokens', types.integer, (column) => column.notNull())
    .addColumn('images', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_usage_sums_key', ['span', 'start', 'group_hash'])
    .execute()
  await createIndex('gateway_usage_sums_of_key', 'gateway_usage_sums', ['key_id', 'span', 'start'])

  const tables = kysely.$extendTables<GatewayTables>()
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
      .select(['day', 'key_id', 'model'])
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
      .groupBy(['day', 'key_id', 'model'])
      .execute()
    const used = rows.map(({ day, key_id, model, ...counts }) => ({
      at: from,
      day,
      key_id,
      model,
      counts: numbers(counts),
    }))
    await changeSums(tables, dialect, used, 1)
  }
}

function numbers(counts: Readonly<Record<keyof UsageCounts, number | string>>): UsageCounts {
  return {
    requests: Number(counts.requests),
    failures: Number(counts.failures),
    partial: Number(counts.partial),
    input_tokens: Number(counts.input_tokens),
    output_tokens: Number(counts.output_tokens),
    images: Number(counts.images),
  }
}

import type { Schema } from '../../dialects/schema.ts'

/** `0011-usage-detail` sums the existing records. */
export async function usageSums({ createTable, createIndex, types }: Schema): Promise<void> {
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
}

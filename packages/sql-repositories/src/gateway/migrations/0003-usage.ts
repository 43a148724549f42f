import type { Schema } from '../../dialects/schema.ts'

export async function usage({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('gateway_usage')
    .addColumn('id', types.varchar(64), (column) => column.primaryKey())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('day', types.varchar(16), (column) => column.notNull())
    .addColumn('key_id', types.varchar(64), (column) => column.notNull())
    .addColumn('operation', types.varchar(16), (column) => column.notNull())
    .addColumn('model', types.text, (column) => column.notNull())
    .addColumn('provider', types.text)
    .addColumn('streamed', types.integer, (column) => column.notNull())
    .addColumn('input_tokens', types.integer, (column) => column.notNull())
    .addColumn('output_tokens', types.integer, (column) => column.notNull())
    .addColumn('estimated', types.integer, (column) => column.notNull())
    .addColumn('partial', types.integer, (column) => column.notNull())
    .addColumn('status', types.integer, (column) => column.notNull())
    .addColumn('latency_ms', types.integer, (column) => column.notNull())
    .addColumn('first_token_ms', types.integer)
    .addColumn('images', types.integer, (column) => column.notNull())
    .execute()
  await createIndex('gateway_usage_time', 'gateway_usage', ['at'])
  await createIndex('gateway_usage_key', 'gateway_usage', ['key_id', 'at'])
}

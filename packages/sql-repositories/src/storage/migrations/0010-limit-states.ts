import type { Schema } from '../../dialects/schema.ts'

/** Grace periods, thresholds, and what the watches of volumes have seen. */
export async function limitStates({ addColumn, createTable, types }: Schema): Promise<void> {
  const rules = 'storage_quota_rules'
  await addColumn(rules, { name: 'grace_period_seconds', type: types.integer, define: (column) => column })
  await addColumn(rules, { name: 'thresholds', type: types.varchar(64), define: (column) => column })
  await addColumn('storage_volumes', {
    name: 'grace_period_seconds',
    type: types.integer,
    define: (column) => column,
  })
  await createTable('storage_limit_states')
    .addColumn('volume_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('key_hash', types.varchar(64), (column) => column.notNull())
    .addColumn('sequence', types.integer, (column) => column.notNull())
    .addColumn('document', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_limit_states_key', ['volume_uuid', 'key_hash'])
    .execute()
}

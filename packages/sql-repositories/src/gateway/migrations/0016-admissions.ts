import type { Schema } from '../../dialects/schema.ts'

/** The longest id of an account: `user:` and 128 characters. */
const ACCOUNT_LENGTH = 133

/**
 * A log of admissions replaces `gateway_rate_limits` and `gateway_rate_blocks`, which replicas of the release before use until
 * they are replaced. Each limit begins with an empty window.
 */
export async function admissions({ createTable, types }: Schema): Promise<void> {
  const table = createTable('gateway_admissions')
    .addColumn('key_id', types.varchar(ACCOUNT_LENGTH), (column) => column.notNull())
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('count', types.integer, (column) => column.notNull())
    .addColumn('shift', types.integer, (column) => column.notNull())
    .addColumn('writer', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_admissions_key', ['key_id', 'number'])
  await (types.keyOrder ? table.modifyEnd(types.keyOrder) : table).execute()
}

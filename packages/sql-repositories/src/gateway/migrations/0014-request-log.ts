import type { Schema } from '../../dialects/schema.ts'

/** The longest id of an account: `user:` and 128 characters. */
const ACCOUNT_LENGTH = 133
const MEMBER_LENGTH = 128
/** The longest name of a model. */
const MODEL_LENGTH = 512

export async function requestLog({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('gateway_requests')
    .addColumn('id', types.varchar(64), (column) => column.primaryKey())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('account_id', types.varchar(ACCOUNT_LENGTH))
    .addColumn('person_id', types.varchar(MEMBER_LENGTH))
    .addColumn('team_id', types.varchar(MEMBER_LENGTH))
    .addColumn('tags', types.text)
    .addColumn('model', types.varchar(MODEL_LENGTH))
    .addColumn('provider', types.varchar(MEMBER_LENGTH))
    .addColumn('status', types.integer, (column) => column.notNull())
    .addColumn('status_class', types.integer, (column) => column.notNull())
    .addColumn('operation', types.varchar(16), (column) => column.notNull())
    .addColumn('search_text', types.text)
    .addColumn('entry', types.text, (column) => column.notNull())
    .execute()
  await createIndex('gateway_requests_time', 'gateway_requests', ['at', 'id'])
  await createIndex('gateway_requests_account', 'gateway_requests', ['account_id', 'at', 'id'])
  await createIndex('gateway_requests_model', 'gateway_requests', ['model', 'at', 'id'])
  await createIndex('gateway_requests_team', 'gateway_requests', ['team_id', 'at', 'id'])
  await createIndex('gateway_requests_status', 'gateway_requests', ['status_class', 'at', 'id'])
}

import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

/** The log of notices, and the webhooks with the deliveries that wait. */
export async function notices({ kysely, createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('storage_notices')
    .addColumn('number', types.countingKey)
    .addColumn('id', types.varchar(128), (column) => column.notNull())
    .addColumn('kind', types.varchar(32), (column) => column.notNull())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('svm_uuid', types.varchar(64))
    .addColumn('svm_name', types.varchar(255))
    .addColumn('volume_uuid', types.varchar(64))
    .addColumn('volume_name', types.varchar(255))
    .addColumn('document', types.text, (column) => column.notNull())
    .execute()
  await createIndex('storage_notices_id', 'storage_notices', ['id'], { unique: true })
  await createIndex('storage_notices_at', 'storage_notices', ['at'])

  await createTable('storage_webhooks')
    .addColumn('uuid', types.varchar(64), (column) => column.primaryKey())
    .addColumn('document', types.text, (column) => column.notNull())
    .addColumn('secret', types.varchar(255), (column) => column.notNull())
    .addColumn('enabled', types.integer, (column) => column.notNull())
    .addColumn('owner', types.varchar(255))
    .addColumn('lease_until', types.integer, (column) => column.notNull())
    .addColumn('retry_at', types.integer, (column) => column.notNull())
    .execute()

  await createTable('storage_deliveries')
    .addColumn('webhook_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('notice_number', types.integer, (column) => column.notNull())
    .addColumn('notice_id', types.varchar(128), (column) => column.notNull())
    .addColumn('kind', types.varchar(32), (column) => column.notNull())
    .addColumn('state', types.varchar(16), (column) => column.notNull())
    .addColumn('holdoff_group', types.text)
    .addColumn('due_at', types.integer, (column) => column.notNull())
    .addColumn('tries', types.integer, (column) => column.notNull())
    .addColumn('tried_at', types.integer)
    .addColumn('status', types.integer)
    .addColumn('failure', types.text)
    .addPrimaryKeyConstraint('storage_deliveries_key', ['webhook_uuid', 'notice_number'])
    .execute()
  await createIndex('storage_deliveries_waiting', 'storage_deliveries', ['webhook_uuid', 'state', 'notice_number'])
  await createIndex('storage_deliveries_notice', 'storage_deliveries', ['notice_number'])

  await sql`
    insert into ${sql.table('storage_locks')} (name)
    select 'notices' where not exists (select 1 from ${sql.table('storage_locks')} where name = 'notices')
  `.execute(kysely)
}

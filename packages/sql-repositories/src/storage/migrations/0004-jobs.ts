import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

export async function jobs({ kysely, createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('storage_jobs')
    .addColumn('number', types.countingKey)
    .addColumn('uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('task', types.text, (column) => column.notNull())
    .addColumn('lane', types.varchar(255), (column) => column.notNull())
    .addColumn('svm_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('svm_name', types.varchar(255), (column) => column.notNull())
    .addColumn('node_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('node_name', types.varchar(255), (column) => column.notNull())
    .addColumn('state', types.varchar(16), (column) => column.notNull())
    .addColumn('done', types.integer)
    .addColumn('total', types.integer)
    .addColumn('failure_type', types.varchar(64))
    .addColumn('message', types.text)
    .addColumn('started_at', types.integer)
    .addColumn('ended_at', types.integer)
    .addColumn('owner', types.varchar(255))
    .addColumn('lease_until', types.integer)
    .addColumn('command', types.varchar(16))
    .execute()
  await createIndex('storage_jobs_uuid', 'storage_jobs', ['uuid'], { unique: true })
  await createIndex('storage_jobs_waiting', 'storage_jobs', ['state', 'number', 'lane', 'lease_until'])
  await createIndex('storage_jobs_lane', 'storage_jobs', ['lane', 'state', 'lease_until'])
  await createIndex('storage_jobs_ended', 'storage_jobs', ['ended_at'])

  await createTable('storage_locks')
    .addColumn('name', types.varchar(64), (column) => column.primaryKey())
    .execute()
  await sql`
    insert into ${sql.table('storage_locks')} (name)
    select 'job-claims' where not exists (select 1 from ${sql.table('storage_locks')} where name = 'job-claims')
  `.execute(kysely)
}

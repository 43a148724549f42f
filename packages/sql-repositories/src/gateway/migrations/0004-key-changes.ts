import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

export async function keyChanges({ kysely, createTable, types }: Schema): Promise<void> {
  await createTable('gateway_key_changes')
    .addColumn('version', types.integer, (column) => column.primaryKey())
    .addColumn('key_id', types.varchar(64), (column) => column.notNull())
    .execute()
  await createTable('gateway_key_version')
    .addColumn('id', types.integer, (column) => column.primaryKey())
    .addColumn('version', types.integer, (column) => column.notNull())
    .execute()
  await sql`
    insert into ${sql.table('gateway_key_version')} (id, version)
    select 1, 0 where not exists (select 1 from ${sql.table('gateway_key_version')} where id = 1)
  `.execute(kysely)
}

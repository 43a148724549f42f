import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

export async function writeProof({ kysely, createTable, types }: Schema): Promise<void> {
  await createTable('gateway_write_proof')
    .addColumn('id', types.integer, (column) => column.primaryKey())
    .addColumn('writes', types.integer, (column) => column.notNull())
    .execute()
  await sql`
    insert into ${sql.table('gateway_write_proof')} (id, writes)
    select 1, 0 where not exists (select 1 from ${sql.table('gateway_write_proof')} where id = 1)
  `.execute(kysely)
}

import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

/** Adds a row that transactions lock, unless it exists. */
export async function addLock({ kysely }: Pick<Schema, 'kysely'>, name: string): Promise<void> {
  const lock = sql.lit(name)
  await sql`
    insert into ${sql.table('storage_locks')} (name)
    select ${lock} where not exists (select 1 from ${sql.table('storage_locks')} where name = ${lock})
  `.execute(kysely)
}

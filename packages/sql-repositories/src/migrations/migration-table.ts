import { type Kysely, sql } from 'kysely'
import type { Schema } from '../dialects/schema.ts'
import type { MigrationSet } from './migration-set.ts'

const tableOf = ({ name }: MigrationSet): string => `${name}_migrations`

/** Creates the table that records the steps of a set, unless it exists. */
export async function createMigrationTable({ createTable, types }: Schema, set: MigrationSet): Promise<void> {
  await createTable(tableOf(set))
    .addColumn('name', types.varchar(255), (column) => column.notNull().primaryKey())
    .addColumn('timestamp', types.varchar(255), (column) => column.notNull())
    .execute()
}

/** Returns the names of the steps that were applied, in their order. */
export async function appliedSteps(kysely: Kysely<unknown>, set: MigrationSet): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(tableOf(set))} order by name`.execute(
    kysely,
  )
  return rows.map(({ name }) => name)
}

/** Records that a step was applied now. */
export async function recordStep(kysely: Kysely<unknown>, set: MigrationSet, step: string): Promise<void> {
  await sql`
    insert into ${sql.table(tableOf(set))} (name, ${sql.ref('timestamp')}) values (${step}, ${new Date().toISOString()})
  `.execute(kysely)
}

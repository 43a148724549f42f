import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { schemaOf } from '../dialects/schema.ts'
import { migrateAlone } from './migrate-alone.ts'
import { type MigrationSet, stepsOf } from './migration-set.ts'
import { migrationState, newerRelease, stateOf } from './migration-state.ts'
import { appliedSteps, createMigrationTable, recordStep } from './migration-table.ts'

/**
 * Brings the schema up to date. Any number of processes may call this at the same time: one works, the others wait.
 *
 * @returns the names of the steps that this call has applied
 * @throws when a step fails (PostgreSQL and SQLite then roll back all steps of this call), and when the database has
 * steps that this release does not contain
 */
export async function migrate(database: Database, set: MigrationSet): Promise<readonly string[]> {
  // A role without the right to change the schema can use one that is up to date.
  const { pending, unknown } = await migrationState(database, set)
  if (pending.length === 0 && unknown.length === 0) return []
  const unbounded = await database.unbounded()
  try {
    return await migrateAlone(unbounded, (kysely) => applySteps({ ...unbounded, kysely }, set))
  } finally {
    await unbounded.close()
  }
}

async function applySteps(
  { kysely, dialect }: { readonly kysely: Kysely<unknown>; readonly dialect: Database['dialect'] },
  set: MigrationSet,
): Promise<readonly string[]> {
  const schema = schemaOf(kysely, dialect, await dialect.schemaTypes(kysely))
  await createMigrationTable(schema, set)
  const { pending, unknown } = stateOf(set, await appliedSteps(kysely, set))
  if (unknown.length > 0) throw new Error(newerRelease(set, unknown))
  for (const [name, step] of stepsOf(set)) {
    if (!pending.includes(name)) continue
    await step(schema)
    await recordStep(kysely, set, name)
  }
  return pending
}

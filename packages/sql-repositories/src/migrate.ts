import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { type Schema, schemaOf } from './dialects/schema.ts'

/** One step of a schema, forward only. It may be run again after it was cut off half-way: MySQL cannot undo it. */
export type Migration = (schema: Schema) => Promise<void>

export interface MigrationSet {
  /** The tables of the steps that were made are `<name>_migrations` and `<name>_migrations_lock`. */
  readonly name: string
  /** In the order of their names, which begin with a number. A step that was released never changes. */
  readonly migrations: Readonly<Record<string, Migration>>
}

/**
 * Brings the schema up to date. Any number of processes may call this at once: one works, the others wait for it.
 *
 * @throws when a step fails (PostgreSQL and SQLite then have none of the steps of this call), and when the database has
 * steps that this release does not know
 */
export async function migrate(database: Database, { name, migrations }: MigrationSet): Promise<void> {
  const unbounded = await database.unbounded()
  try {
    const { kysely, dialect } = unbounded
    const types = await dialect.schemaTypes(kysely)
    const migrator = new Migrator({
      db: kysely,
      migrationTableName: `${name}_migrations`,
      migrationLockTableName: `${name}_migrations_lock`,
      ...(await dialect.migrationSchema(kysely)),
      provider: {
        getMigrations: async () =>
          Object.fromEntries(
            Object.entries(migrations).map(([step, up]) => [
              step,
              { up: (transaction: Kysely<unknown>) => up(schemaOf(transaction, dialect, types)) },
            ]),
          ),
      },
    })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw explained(error)
  } finally {
    await unbounded.close()
  }
}

function explained(error: unknown): unknown {
  const step = error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message)
  if (!step) return error
  return new Error(`The database has the schema of a newer release: this one does not know ${step[1]}`, {
    cause: error,
  })
}

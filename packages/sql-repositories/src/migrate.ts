import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { type Schema, schemaOf } from './dialects/schema.ts'

/**
 * One step of a schema, forward only. It is run again when it was interrupted, possibly on its own partial result:
 * MySQL cannot roll it back.
 */
export type Migration = (schema: Schema) => Promise<void>

export interface MigrationSet {
  /** Prefix of the tables that record the steps: `<name>_migrations` and `<name>_migrations_lock`. */
  readonly name: string
  /** Steps by name. They run in the order of their names, which begin with a number. A released step never changes. */
  readonly migrations: Readonly<Record<string, Migration>>
}

/**
 * Brings the schema up to date. Any number of processes may call this at the same time: one works, the others wait.
 *
 * @throws when a step fails (PostgreSQL and SQLite then roll back all steps of this call), and when the database has
 * steps that this release does not contain
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
    if (error !== undefined) throw explainError(error)
  } finally {
    await unbounded.close()
  }
}

function explainError(error: unknown): unknown {
  const step = error instanceof Error && /previously executed migration (\S+) is missing/.exec(error.message)
  if (!step) return error
  return new Error(`The database has the schema of a newer release: this release has no migration "${step[1]}".`, {
    cause: error,
  })
}

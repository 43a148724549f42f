import { type Dialect, type Kysely, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type SqliteDriverOptions, sqliteDriver } from './sqlite-driver.ts'

/** Kysely's SQLite dialect with `sqliteDriver`. */
export function sqliteDialect(options: SqliteDriverOptions): Dialect {
  return {
    createDriver: () => sqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createAdapter: () => ({
      supportsCreateIfNotExists: true,
      supportsMultipleConnections: false,
      supportsReturning: true,
      // Migrations run in one transaction, whose write lock makes other processes wait.
      supportsTransactionalDdl: true,
      acquireMigrationLock: async () => {},
      releaseMigrationLock: async () => {},
    }),
  }
}

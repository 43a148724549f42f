import type { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import type { DatabaseOptions } from '../database.ts'
import type { DialectName } from '../dialects/dialect.ts'
import type { TableNaming } from '../naming/table-naming.ts'
import type { HostKysely } from './host-kysely.ts'
import type { HostMysqlPool } from './mysql-host-pool.ts'
import type { HostPostgresPool } from './postgres-host-pool.ts'

/**
 * A pool of the host: of `pg`, or of `mysql2` or `mysql2/promise`. Its time limits and its session settings are the
 * host's. Parsers of types that the host has set do not matter.
 */
export interface HostPoolOptions extends TableNaming {
  /** The open pool. The host ends it. */
  readonly pool: HostPostgresPool | HostMysqlPool | { readonly pool: HostMysqlPool }
}

/** A Kysely instance of the host. Its plugins are not used. */
export interface HostKyselyOptions extends TableNaming {
  /** The open instance, and not a transaction of it. The host destroys it. */
  readonly kysely: HostKysely
  /** The database, where the instance has an adapter of its own. @default by the instance's adapter */
  readonly dialect?: DialectName
}

/** A SQLite connection of the host: `DatabaseSync` of `node:sqlite`, or of `better-sqlite3`. */
export interface HostSqliteOptions extends TableNaming, Pick<DatabaseOptions, 'lockTimeoutMs'> {
  /** The open connection. The host closes it. */
  readonly sqlite: SqliteDatabase | Pick<DatabaseSync, 'prepare' | 'close'>
}

/** What a host has opened itself. `close` of the handle leaves it open. */
export type HostDatabaseOptions = HostPoolOptions | HostKyselyOptions | HostSqliteOptions

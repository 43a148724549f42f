import { Kysely, type Dialect as KyselyDialect, MysqlDialect, PostgresDialect, type SqliteDatabase } from 'kysely'
import type { Database, DatabaseOptions } from './database.ts'
import type { Dialect } from './dialects/dialect.ts'
import { driverModule } from './dialects/driver-module.ts'
import { mysql } from './dialects/mysql.ts'
import { mysqlPool } from './dialects/mysql-pool.ts'
import { openNodeSqlite } from './dialects/node-sqlite.ts'
import { postgres } from './dialects/postgres.ts'
import { postgresPool } from './dialects/postgres-pool.ts'
import { sqlite } from './dialects/sqlite.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'
import type { SqliteDriverOptions } from './dialects/sqlite-driver.ts'

export type { SqliteDatabase }

/** A SQLite connection of the host: one of `better-sqlite3`, or of the same shape. */
export interface HostDatabaseOptions extends Pick<DatabaseOptions, 'lockTimeoutMs'> {
  readonly sqlite: SqliteDatabase
}

/**
 * Opens a database by its address, or takes a SQLite connection that the host has. The driver of a database server is
 * loaded here (`pg`, `mysql2`). Connections are opened with the first query, and again after the server was
 * unavailable.
 *
 * @throws {TypeError} when the address has an unknown scheme
 * @throws {Error} when the driver of the database server is not installed
 *
 * @example
 * ```ts
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
 *
 * const database = await openDatabase('sqlite:gateway.sqlite')
 * await migrateGateway(database)
 * const repositories = sqlGatewayRepositories(database)
 * ```
 */
export async function openDatabase(address: string | DatabaseOptions | HostDatabaseOptions): Promise<Database> {
  const options = typeof address === 'string' ? { url: address } : address
  if ('sqlite' in options) return hostDatabase(options)
  switch (scheme(options.url)) {
    case 'memory':
      return sqliteDatabase(options, ':memory:')
    case 'sqlite':
      return sqliteDatabase(options, sqlitePath(options.url))
    case 'postgres':
    case 'postgresql':
      await driverModule('pg', () => import('pg'))
      return server(options, postgres, (limits) => new PostgresDialect({ pool: () => postgresPool(limits) }))
    case 'mysql':
    case 'mariadb':
      await driverModule('mysql2', () => import('mysql2'))
      return server(options, mysql, (limits) => new MysqlDialect({ pool: () => mysqlPool(limits) }))
    default:
      throw new TypeError('a database address begins with sqlite:, memory:, postgres:// or mysql://')
  }
}

/** Creates the pool with the first query, so that an unused handle holds no resources. */
function server(
  options: DatabaseOptions,
  dialect: Dialect,
  connect: (options: DatabaseOptions) => KyselyDialect,
): Database {
  const kysely = new Kysely<unknown>({ dialect: connect(options) })
  return {
    kysely,
    dialect,
    close: () => kysely.destroy(),
    unbounded: async () => server({ ...options, maxConnections: 1, statementTimeoutMs: 0 }, dialect, connect),
  }
}

function hostDatabase({ sqlite: database, lockTimeoutMs = 5000 }: HostDatabaseOptions): Database {
  return embedded({ open: async () => database, lockTimeoutMs, owned: false })
}

function sqliteDatabase(options: DatabaseOptions, file: string): Database {
  const { durability = 'process', lockTimeoutMs = 5000 } = options
  const open = () => openNodeSqlite({ file, durability, lockTimeoutMs })
  return embedded({ open, lockTimeoutMs, owned: true })
}

function embedded(options: SqliteDriverOptions): Database {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect(options) })
  const unbounded = async () => ({ ...database, close: async () => {} })
  const database: Database = { kysely, dialect: sqlite, close: () => kysely.destroy(), unbounded }
  return database
}

function scheme(url: string): string {
  return url.slice(0, Math.max(0, url.indexOf(':'))).toLowerCase()
}

function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length)
  const file = path.startsWith('//') ? path.slice(2) : path
  if (file === '') throw new TypeError('a sqlite: address needs the path of a file')
  return file
}

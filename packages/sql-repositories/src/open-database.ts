import { Kysely, type Dialect as KyselyDialect, MysqlDialect, PostgresDialect } from 'kysely'
import { checkDatabaseOptions, checkSettings } from './check-database-options.ts'
import type { Database, DatabaseOptions, DatabaseSettings } from './database.ts'
import type { Dialect } from './dialects/dialect.ts'
import { driverModule } from './dialects/driver-module.ts'
import { mysql } from './dialects/mysql.ts'
import { mysqlPool } from './dialects/mysql-pool.ts'
import { openNodeSqlite } from './dialects/node-sqlite.ts'
import { postgres } from './dialects/postgres.ts'
import { postgresPool } from './dialects/postgres-pool.ts'
import { sqlite } from './dialects/sqlite.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'
import { hostDatabase } from './host/host-database.ts'
import type { HostDatabaseOptions } from './host/host-options.ts'
import { tableNames } from './naming/table-names.ts'
import { tableNaming } from './naming/table-naming.ts'

/**
 * Opens a database by its address, or uses one that the host has opened: a pool of `pg` or `mysql2`, a Kysely instance,
 * or a SQLite connection. The driver of a database server is loaded here for an address (`pg`, `mysql2`). Connections
 * are opened with the first query, and again after the server was unavailable.
 *
 * @throws {TypeError} when the argument is not one of these, or two of them, the address has an unknown scheme or is not a
 *   valid URL, an option does not exist for the database, or a name of the options is malformed
 * @throws {Error} when the driver of the database server is not installed
 *
 * @example
 * ```ts
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
 *
 * const database = await openDatabase('sqlite:gateway.sqlite', { tablePrefix: 'tv_' })
 * await migrateGateway(database)
 * const repositories = sqlGatewayRepositories(database)
 * ```
 */
export async function openDatabase(
  database: string | DatabaseOptions | HostDatabaseOptions,
  options: DatabaseSettings = {},
): Promise<Database> {
  checkSettings(options)
  if (typeof database === 'string') return addressed({ ...options, url: database })
  if (Object.values(options).some((value) => value !== undefined)) {
    throw new TypeError('openDatabase takes a second argument only for an address. Add its options to the object.')
  }
  checkDatabaseOptions(database)
  return isAddressed(database) ? addressed(database) : hostDatabase(database)
}

const isAddressed = (database: unknown): database is DatabaseOptions =>
  typeof database === 'object' && database !== null && 'url' in database && database.url !== undefined

async function addressed(options: DatabaseOptions): Promise<Database> {
  if (typeof options.url !== 'string') throw new TypeError("'url' must be an address such as 'sqlite:FILE'.")
  switch (scheme(options.url)) {
    case 'memory':
      return sqliteDatabase(options, ':memory:')
    case 'sqlite':
      return sqliteDatabase(options, sqlitePath(options.url))
    case 'postgres':
    case 'postgresql':
      // The driver takes an address without a host, which URLs do not.
      checkAddress(options.url.replace('@/', '@localhost/'))
      await driverModule('pg')
      return server(options, postgres, (limits) => new PostgresDialect({ pool: () => postgresPool(limits) }))
    case 'mysql':
    case 'mariadb':
      checkAddress(options.url)
      await driverModule('mysql2')
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
  const naming = tableNaming(options, dialect.name)
  const kysely = new Kysely<unknown>({ dialect: connect(options) })
  return {
    kysely: tableNames(kysely, naming),
    dialect,
    naming,
    close: () => kysely.destroy(),
    unbounded: async () => server({ ...options, maxConnections: 1, statementTimeoutMs: 0 }, dialect, connect),
  }
}

function sqliteDatabase(options: DatabaseOptions, file: string): Database {
  const { durability = 'process', lockTimeoutMs = 5000 } = options
  if (durability !== 'process' && durability !== 'power') {
    throw new TypeError("'durability' must be 'process' or 'power'.")
  }
  const naming = tableNaming(options, 'sqlite')
  const open = () => openNodeSqlite({ file, durability, lockTimeoutMs })
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ open, lockTimeoutMs, owned: true }) })
  const database: Database = {
    kysely: tableNames(kysely, naming),
    dialect: sqlite,
    naming,
    close: () => kysely.destroy(),
    unbounded: async () => ({ ...database, close: async () => {} }),
  }
  return database
}

/** The drivers throw errors that contain the address, with its password. */
function checkAddress(url: string): void {
  if (URL.canParse(url)) return
  throw new TypeError(
    "The address of the database is not a valid URL. Characters such as '/' in a password must be percent-encoded.",
  )
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

import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import type { Database } from '../database.ts'
import type { Dialect, DialectName } from '../dialects/dialect.ts'
import { mysql } from '../dialects/mysql.ts'
import { postgres } from '../dialects/postgres.ts'
import { sqlite } from '../dialects/sqlite.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { tableNames } from '../naming/table-names.ts'
import { type TableNaming, tableNaming } from '../naming/table-naming.ts'
import { exactIntegers } from './exact-integers.ts'
import { dialectOf, isKysely } from './host-kysely.ts'
import type { HostDatabaseOptions, HostKyselyOptions, HostPoolOptions, HostSqliteOptions } from './host-options.ts'
import { type HostMysqlPool, mysqlHostPool } from './mysql-host-pool.ts'
import { type HostPostgresPool, postgresHostPool } from './postgres-host-pool.ts'
import { sqliteConnection } from './sqlite-connection.ts'

/** The sessions of a host may have another isolation than READ COMMITTED. */
const dialects: Readonly<Record<DialectName, Dialect>> = {
  postgres: { ...postgres, isolation: 'read committed' },
  mysql: { ...mysql, isolation: 'read committed' },
  sqlite,
}

/** Uses what the host has opened. @throws {TypeError} when it is not one of the kinds that are accepted */
export function hostDatabase(options: HostDatabaseOptions): Database {
  if (typeof options === 'object' && options !== null) {
    if ('sqlite' in options && options.sqlite !== undefined) return onSqlite(options)
    if ('kysely' in options && options.kysely !== undefined) return onKysely(options)
    if ('pool' in options && options.pool !== undefined) return onPool(options)
  }
  throw new TypeError(
    'openDatabase takes an address, { url }, { pool } of pg or mysql2, { kysely }, or { sqlite } of node:sqlite or better-sqlite3.',
  )
}

function onSqlite({ sqlite: connection, lockTimeoutMs = 5000, ...naming }: HostSqliteOptions): Database {
  if (!hasMethod(connection, 'prepare')) {
    throw new TypeError("'sqlite' must be a connection of node:sqlite or better-sqlite3.")
  }
  const dialect = sqliteDialect({ open: async () => sqliteConnection(connection), lockTimeoutMs, owned: false })
  return handle(new Kysely<unknown>({ dialect }), 'sqlite', naming)
}

function onKysely({ kysely, dialect, ...naming }: HostKyselyOptions): Database {
  if (!isKysely(kysely)) throw new TypeError("'kysely' must be a Kysely instance.")
  return handle(kysely.withoutPlugins().withPlugin(exactIntegers), dialectOf(kysely, dialect), naming)
}

function onPool({ pool, ...naming }: HostPoolOptions): Database {
  if (isPostgresPool(pool)) {
    return handle(new Kysely({ dialect: new PostgresDialect({ pool: postgresHostPool(pool) }) }), 'postgres', naming)
  }
  const callbackPool = typeof pool === 'object' && pool !== null && 'pool' in pool ? pool.pool : pool
  if (!isMysqlPool(callbackPool)) {
    throw new TypeError("'pool' must be a pool of pg or mysql2, and not a single connection.")
  }
  return handle(new Kysely({ dialect: new MysqlDialect({ pool: mysqlHostPool(callbackPool) }) }), 'mysql', naming)
}

function handle(kysely: Kysely<unknown>, name: DialectName, options: TableNaming): Database {
  const naming = tableNaming(options, name)
  const database: Database = {
    kysely: tableNames(kysely, naming),
    dialect: dialects[name],
    naming,
    close: async () => {},
    unbounded: async () => database,
  }
  return database
}

const hasMethod = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'

const isMysqlPool = (pool: unknown): pool is HostMysqlPool => hasMethod(pool, 'getConnection')

/** Clients of many databases have `connect`. */
const isPostgresPool = (pool: unknown): pool is HostPostgresPool =>
  hasMethod(pool, 'connect') && typeof Reflect.get(Object(pool), 'totalCount') === 'number'

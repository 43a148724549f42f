import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import BetterSqlite3 from 'better-sqlite3'
import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import type { Database, DatabaseOptions } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'

/** A new, empty database. */
export interface FreshDatabase {
  /** The address for other processes. Absent where no other process can reach the database. */
  readonly url: string | undefined
  /** Opens another handle, or returns the same one where the database has only one. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>
  /** Closes all handles and removes the database. */
  remove(): Promise<void>
}

export interface DatabaseKind {
  readonly name: string
  readonly create: () => Promise<FreshDatabase>
}

const postgresUrl = process.env.TEST_POSTGRES_URL || 'postgres://root@127.0.0.1:5432/test'
const mysqlUrl = process.env.TEST_MYSQL_URL || 'mysql://root@127.0.0.1:3306/test'

export const sqliteFile: DatabaseKind = {
  name: 'SQLite file',
  create: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'trivium-sqlite-'))
    const url = `sqlite:${join(directory, 'test.db')}`
    return freshDatabase(
      url,
      (options) => openDatabase({ url, ...options }),
      async () => rmSync(directory, { recursive: true }),
    )
  },
}

const sqliteMemory: DatabaseKind = {
  name: 'SQLite in memory',
  create: async () => {
    const database = await openDatabase('memory:')
    return { url: undefined, open: async () => database, remove: () => database.close() }
  },
}

const betterSqlite3: DatabaseKind = {
  name: 'better-sqlite3 of the host',
  create: async () => {
    const sqlite = new BetterSqlite3(':memory:').defaultSafeIntegers()
    const database = await openDatabase({ sqlite })
    const remove = async () => {
      await database.close()
      sqlite.close()
    }
    return { url: undefined, open: async () => database, remove }
  },
}

const postgres: DatabaseKind = { name: 'PostgreSQL', create: () => onServer(postgresUrl) }
const mariadb: DatabaseKind = { name: 'MariaDB', create: () => onServer(mysqlUrl) }

async function onServer(serverUrl: string, openOn = openAddress): Promise<FreshDatabase> {
  const name = `trivium_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const force = serverUrl.startsWith('postgres') ? ' with (force)' : ''
  const { open, end = async () => {} } = openOn(url.href)
  return freshDatabase(url.href, open, async () => {
    await end()
    await administer(serverUrl, `drop database ${name}${force}`)
  })
}

/** How handles on a database are opened, and how what the host has opened for them ends. */
interface Opening {
  readonly open: (options: Partial<DatabaseOptions>) => Promise<Database>
  readonly end?: () => Promise<void>
}

const openAddress = (url: string): Opening => ({
  open: (options) => openDatabase({ url, maxConnections: 4, ...options }),
})

/** A pool whose parsers make values that no repository expects. */
function openOnPostgresPool(url: string): Opening {
  const parsed = (value: string) => ({ parsed: value })
  const pool = new pg.Pool({ connectionString: url, max: 8, types: { getTypeParser: () => parsed } })
  pool.on('error', () => {})
  return {
    open: () => openDatabase({ pool, schema: 'trivium', tablePrefix: 'tv_' }),
    end: () => pool.end(),
  }
}

/** A pool whose settings make values that no repository expects. */
function openOnMysqlPool(url: string): Opening {
  const pool = createPool({
    uri: url,
    connectionLimit: 8,
    timezone: '+05:30',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    decimalNumbers: true,
    namedPlaceholders: true,
    rowsAsArray: true,
    typeCast: (field) => ({ cast: field.string() }),
  })
  return { open: () => openDatabase({ pool, tablePrefix: 'tv_' }), end: () => pool.end() }
}

/** An instance whose driver reads 64 bits as text, and whose plugin renames columns. */
function openOnPostgresKysely(url: string): Opening {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  pool.on('error', () => {})
  const kysely = new Kysely<{ other: { id: number } }>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  })
  return { open: () => openDatabase({ kysely, tablePrefix: 'tv_' }), end: () => kysely.destroy() }
}

/** An instance whose driver reads integers as bigint, and whose plugin renames columns. */
const sqliteKysely: DatabaseKind = {
  name: 'a Kysely instance, with a prefix',
  create: async () => {
    const dialect = new SqliteDialect({ database: new BetterSqlite3(':memory:').defaultSafeIntegers() })
    const kysely = new Kysely<{ other: { id: number } }>({ dialect, plugins: [new CamelCasePlugin()] })
    const database = await openDatabase({ kysely, tablePrefix: 'tv_' })
    return { url: undefined, open: async () => database, remove: () => kysely.destroy() }
  },
}

const nodeSqlite: DatabaseKind = {
  name: 'node:sqlite of the host, with a prefix',
  create: async () => {
    const sqlite = new DatabaseSync(':memory:', { readBigInts: true })
    const database = await openDatabase({ sqlite, tablePrefix: 'tv_' })
    return { url: undefined, open: async () => database, remove: async () => sqlite.close() }
  },
}

async function administer(url: string, statement: string): Promise<void> {
  // At the start of a run, modules are compiled for seconds before an answer is read. An absent server refuses immediately.
  const server = await openDatabase({ url, maxConnections: 1, connectTimeoutMs: 30_000 })
  try {
    await sql.raw(statement).execute(server.kysely)
  } finally {
    await server.close()
  }
}

function freshDatabase(
  url: string,
  open: (options: Partial<DatabaseOptions>) => Promise<Database>,
  removeStore: () => Promise<void>,
): FreshDatabase {
  const opened: Database[] = []
  return {
    url,
    open: async (options = {}) => {
      const database = await open(options)
      opened.push(database)
      return database
    },
    remove: async () => {
      for (const database of opened) await database.close()
      await removeStore()
    },
  }
}

async function reachable(kind: DatabaseKind, url: string): Promise<readonly DatabaseKind[]> {
  try {
    await administer(url, 'select 1')
    return [kind]
  } catch (cause) {
    const problem = `${kind.name} does not answer at ${new URL(url).host}`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(problem, { cause })
    console.warn(`Skipped: ${problem}`)
    return []
  }
}

const [postgresServers, mariadbServers] = await Promise.all([
  reachable(postgres, postgresUrl),
  reachable(mariadb, mysqlUrl),
])

export const databaseServers: readonly DatabaseKind[] = [...postgresServers, ...mariadbServers]

/** Databases that several processes can share. */
export const sharedDatabases: readonly DatabaseKind[] = [sqliteFile, ...databaseServers]

export const allDatabases: readonly DatabaseKind[] = [sqliteMemory, betterSqlite3, ...sharedDatabases]

/** What a host has opened, with unusual settings, another schema or a prefix. */
export const hostDatabases: readonly DatabaseKind[] = [
  nodeSqlite,
  sqliteKysely,
  ...postgresServers.map(() => ({
    name: 'a pg pool, with a schema and a prefix',
    create: () => onServer(postgresUrl, openOnPostgresPool),
  })),
  ...mariadbServers.map(() => ({
    name: 'a mysql2 pool, with a prefix',
    create: () => onServer(mysqlUrl, openOnMysqlPool),
  })),
]

/** For suites that are short enough to run on it too. */
export const postgresKysely: readonly DatabaseKind[] = postgresServers.map(() => ({
  name: 'a Kysely instance on PostgreSQL, with a prefix',
  create: () => onServer(postgresUrl, openOnPostgresKysely),
}))

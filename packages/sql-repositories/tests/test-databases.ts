import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
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
    const sqlite = new BetterSqlite3(':memory:')
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

async function onServer(serverUrl: string): Promise<FreshDatabase> {
  const name = `trivium_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const force = serverUrl.startsWith('postgres') ? ' with (force)' : ''
  return freshDatabase(
    url.href,
    (options) => openDatabase({ url: url.href, maxConnections: 4, ...options }),
    () => administer(serverUrl, `drop database ${name}${force}`),
  )
}

async function administer(url: string, statement: string): Promise<void> {
  const server = await openDatabase({ url, maxConnections: 1, connectTimeoutMs: 3000 })
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

export const databaseServers: readonly DatabaseKind[] = [
  ...(await reachable(postgres, postgresUrl)),
  ...(await reachable(mariadb, mysqlUrl)),
]

/** Databases that several processes can share. */
export const sharedDatabases: readonly DatabaseKind[] = [sqliteFile, ...databaseServers]

export const allDatabases: readonly DatabaseKind[] = [sqliteMemory, betterSqlite3, ...sharedDatabases]

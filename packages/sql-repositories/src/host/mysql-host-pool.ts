import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from 'kysely'
import { exactInteger } from '../dialects/exact-integer.ts'

interface HostMysqlConnection {
  release(): void
  readonly threadId: number
  readonly config: object
}

/** What is used of a pool of `mysql2`. */
export interface HostMysqlPool {
  getConnection(callback: (error: unknown, connection: HostMysqlConnection) => void): void
}

type Callback = (error: unknown, result?: MysqlQueryResult) => void

interface QueryingConnection extends HostMysqlConnection {
  destroy(): void
  query(options: object, callback: Callback): ReturnType<MysqlPoolConnection['query']>
}

interface Field {
  readonly type: string
  string(): string | null
}

const integerTypes: readonly string[] = ['TINY', 'SHORT', 'INT24', 'LONG', 'LONGLONG', 'YEAR']

/** How this package reads values, regardless of what the host has set. */
const ownReading = {
  typeCast: (field: Field) => {
    const text = field.string()
    return text !== null && integerTypes.includes(field.type) ? exactInteger(text) : text
  },
  rowsAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
}

const FOUND_ROWS = 2

/**
 * Runs Kysely on a pool of the host without changing its sessions, and never ends it. The first connection is checked:
 * queries fail where its settings would store text wrongly, or would make text that is not escaped.
 */
export function mysqlHostPool(pool: HostMysqlPool): MysqlPool {
  let checked = false

  const acquire = (): Promise<QueryingConnection> =>
    new Promise((resolve, reject) => {
      pool.getConnection((error, connection) => {
        if (error !== null && error !== undefined) reject(error)
        else if (canQuery(connection)) resolve(connection)
        else reject(new TypeError('The pool is not one of `mysql2`.'))
      })
    })

  const acquireChecked = async (): Promise<QueryingConnection> => {
    const connection = await acquire()
    if (checked) return connection
    try {
      await checkSession(connection)
    } catch (error) {
      connection.release()
      throw error
    }
    checked = true
    return connection
  }

  return {
    end: (callback) => callback(undefined),
    getConnection: (callback) => {
      acquireChecked().then(
        (connection) => callback(undefined, reading(connection)),
        // Kysely reads the connection only where there is no error.
        (error: unknown) => (callback as (error: unknown) => void)(error),
      )
    },
  }
}

const canQuery = (connection: HostMysqlConnection): connection is QueryingConnection =>
  'query' in connection && typeof connection.query === 'function'

const reading = (connection: QueryingConnection): MysqlPoolConnection => ({
  config: connection.config,
  threadId: connection.threadId,
  connect: () => {},
  destroy: () => connection.destroy(),
  release: () => connection.release(),
  query: (sql, values, callback) =>
    connection.query({ ...ownReading, sql, values }, (error, result) => callback?.(error, result ?? [])),
})

async function checkSession(connection: QueryingConnection): Promise<void> {
  const { config } = connection
  if ('queryFormat' in config && typeof config.queryFormat === 'function') {
    throw new TypeError('A pool of `mysql2` with a `queryFormat` is not supported.')
  }
  if ('clientFlags' in config && typeof config.clientFlags === 'number' && (config.clientFlags & FOUND_ROWS) === 0) {
    throw new TypeError('A pool of `mysql2` without the flag `FOUND_ROWS` is not supported.')
  }
  const [mode, characters] = await sessionOf(connection)
  if (mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new TypeError('A pool with the SQL mode NO_BACKSLASH_ESCAPES is not supported.')
  }
  if (characters !== 'utf8mb4') {
    throw new TypeError(`The pool has the character set "${characters}". Create it with the charset "utf8mb4".`)
  }
}

function sessionOf(connection: QueryingConnection): Promise<readonly [mode: string, characters: string]> {
  const sql = 'select @@session.sql_mode as mode, @@character_set_client as characters'
  return new Promise((resolve, reject) => {
    connection.query({ ...ownReading, sql }, (error, rows) => {
      const row: unknown = Array.isArray(rows) ? rows[0] : undefined
      if (typeof row === 'object' && row !== null && 'mode' in row && 'characters' in row) {
        resolve([String(row.mode), String(row.characters)])
      } else {
        reject(error)
      }
    })
  })
}

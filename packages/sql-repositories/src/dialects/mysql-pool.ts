import { Duplex } from 'node:stream'
import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from 'kysely'
import type { Pool, PoolConnection } from 'mysql2'
import { credentialSource } from '../credentials/credentials.ts'
import { mysqlLogin } from '../credentials/mysql-login.ts'
import type { DatabaseOptions } from '../database.ts'
import { driverModule } from './driver-module.ts'
import { mysqlWorkingSessions } from './mysql-working-sessions.ts'
import { type OverdueStatements, overdueStatements } from './overdue-statements.ts'

/** How long after the server's own time limit the client gives up. By then the connection is broken, not slow. */
const GRACE_MS = 5000

const SQL_MODE = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'

/**
 * A pool of `mysql2` whose sessions do not depend on the server's defaults: strict mode, UTC, READ COMMITTED, exact
 * integers (a string where a number would be rounded). Drops a connection when its answer is overdue and the server
 * does not work on the statement, or when the answer is overdue beyond the statement's time limit.
 */
export async function mysqlPool({
  url,
  maxConnections = 10,
  connectTimeoutMs = 5000,
  overdueMs = 1000,
  statementTimeoutMs = 15_000,
  lockTimeoutMs = 5000,
  idleTimeoutMs = 30_000,
  ...login
}: DatabaseOptions): Promise<MysqlPool> {
  const { createConnection, createPool } = await driverModule('mysql2')
  const attemptTimeoutMs = Math.min(connectTimeoutMs, overdueMs)
  const credentials = credentialSource(login, connectTimeoutMs)
  const address = {
    uri: url,
    // The time that the credentials take is a part of an attempt.
    connectTimeout: credentials === undefined ? attemptTimeoutMs : connectTimeoutMs,
    ...(credentials !== undefined && { stream: mysqlLogin(credentials) }),
  }
  const pool = createPool({
    ...address,
    connectionLimit: maxConnections,
    maxIdle: Math.ceil(maxConnections / 2),
    idleTimeout: idleTimeoutMs,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    supportBigNumbers: true,
    enableKeepAlive: true,
  })
  const settings = sessionSettings(statementTimeoutMs, lockTimeoutMs)
  const lastAnswerAt = new WeakMap<PoolConnection, number>()
  const statements = overdueStatements({
    overdueMs,
    askWorking: mysqlWorkingSessions(() => createConnection(address), attemptTimeoutMs),
  })
  pool.on('connection', (connection) => {
    lastAnswerAt.set(connection, performance.now())
    // A connection that breaks while it is idle must not end the process. The pool replaces it.
    connection.on('error', () => {})
    for (const statement of settings) {
      connection.query(statement, (error) => {
        if (error !== null) connection.destroy()
      })
    }
  })
  const answerTimeoutMs = statementTimeoutMs > 0 ? statementTimeoutMs + GRACE_MS : 0

  const acquireUsable = async (): Promise<PoolConnection> => {
    for (;;) {
      const connection = await acquire(pool, connectTimeoutMs)
      if (!statements.mayBeDead(lastAnswerAt.get(connection) ?? 0)) return connection
      end(connection)
    }
  }

  return {
    // A connection that cannot send its farewell is closed all the same.
    end: (callback) => pool.end(() => callback(undefined)),
    getConnection: (callback) => {
      acquireUsable().then(
        (connection) => callback(undefined, bounded(connection, { answerTimeoutMs, statements, lastAnswerAt })),
        // Kysely reads the connection only where there is no error.
        (error: unknown) => (callback as (error: unknown) => void)(error),
      )
    },
  }
}

/** MariaDB alone executes comments of the form `/*M!`. MySQL alone executes those with a version of MySQL 8. */
function sessionSettings(statementTimeout: number, lockTimeout: number): readonly string[] {
  const lockSeconds = Math.max(1, Math.ceil(lockTimeout / 1000))
  return [
    `set session sql_mode = '${SQL_MODE}', time_zone = '+00:00', innodb_lock_wait_timeout = ${lockSeconds}
      /*M!100100 , max_statement_time = ${statementTimeout / 1000} */
      /*!80000 , max_execution_time = ${statementTimeout} */`,
    'set session transaction isolation level read committed',
  ]
}

/** Bounds the wait for a free connection, which mysql2 does not. */
function acquire(pool: Pool, timeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      reject(new Error(`no database connection within ${timeoutMs} ms`))
    }, timeoutMs)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (error !== null) reject(error)
      else if (late) connection.release()
      else resolve(connection)
    })
  })
}

interface Bounds {
  readonly answerTimeoutMs: number
  readonly statements: OverdueStatements
  readonly lastAnswerAt: WeakMap<PoolConnection, number>
}

function bounded(
  connection: PoolConnection,
  { answerTimeoutMs, statements, lastAnswerAt }: Bounds,
): MysqlPoolConnection {
  const query: MysqlPoolConnection['query'] = (sql, values, callback) => {
    const drop = () => {
      end(connection)
      // mysql2 does not call back for queries of a connection that this side closed.
      settle(new Error('the database connection does not answer'))
    }
    const answered = statements.begin({
      session: connection.threadId,
      lastAnswerAt: lastAnswerAt.get(connection) ?? 0,
      drop,
    })
    let settled = false
    const settle = (error: unknown, result?: MysqlQueryResult) => {
      if (settled) return
      settled = true
      answered()
      callback?.(error, result ?? [])
    }
    return connection.query({ sql, values, timeout: answerTimeoutMs }, (error, result) => {
      if (error?.code === 'PROTOCOL_SEQUENCE_TIMEOUT') end(connection)
      else lastAnswerAt.set(connection, performance.now())
      // Rows are plain objects; mysql2 types them more narrowly than Kysely does.
      settle(error, result as MysqlQueryResult)
    })
  }
  return {
    config: connection.config,
    threadId: connection.threadId,
    connect: () => {},
    destroy: () => end(connection),
    release: () => connection.release(),
    query,
  }
}

/** Closes a connection without waiting for the server, as `destroy` alone would. */
function end(connection: PoolConnection): void {
  connection.destroy()
  if ('stream' in connection && connection.stream instanceof Duplex) connection.stream.destroy()
}

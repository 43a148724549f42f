import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient, QueryConfig } from 'pg'
import { credentialSource } from '../credentials/credentials.ts'
import { postgresLogin } from '../credentials/postgres-login.ts'
import type { DatabaseOptions } from '../database.ts'
import { driverModule } from './driver-module.ts'
import { exactInteger } from './exact-integer.ts'
import { type OverdueStatements, overdueStatements } from './overdue-statements.ts'
import { isUnanswered, postgresWorkingSessions } from './postgres-working-sessions.ts'
import { statementNames } from './statement-names.ts'

const INT8 = 20
/** How long after the server's own time limit the client gives up. By then the connection is broken, not slow. */
const GRACE_MS = 5000

/**
 * A pool of `pg` that outlives restarts of the server. Drops a connection when its answer is overdue and the server
 * does not work on the statement, or when the answer is overdue beyond the statement's time limit.
 */
export async function postgresPool({
  url,
  maxConnections = 10,
  connectTimeoutMs = 5000,
  overdueMs = 1000,
  statementTimeoutMs = 15_000,
  lockTimeoutMs = 5000,
  idleTimeoutMs = 30_000,
  preparedStatements = true,
  ...login
}: DatabaseOptions): Promise<PostgresPool> {
  const { Client, Pool, types } = (await driverModule('pg')).default
  const attemptTimeoutMs = Math.min(connectTimeoutMs, overdueMs)
  const BoundedClient = postgresLogin(Client, credentialSource(login, connectTimeoutMs), attemptTimeoutMs)
  const limited = statementTimeoutMs > 0
  const pool = new Pool({
    Client: BoundedClient,
    connectionString: url,
    application_name: 'trivium',
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    ...(limited && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + GRACE_MS,
    }),
    types: {
      getTypeParser: (type, format) =>
        type === INT8 && format !== 'binary' ? exactInteger : types.getTypeParser(type, format),
    },
  })
  const lastAnswerAt = new WeakMap<PoolClient, number>()
  const statements = overdueStatements({
    overdueMs,
    askWorking: postgresWorkingSessions(BoundedClient, url, attemptTimeoutMs),
  })
  // A connection that breaks while it is idle must not end the process. The pool replaces it.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    lastAnswerAt.set(client, performance.now())
  })

  const nameOf = preparedStatements ? statementNames() : () => undefined
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      for (;;) {
        const client = await pool.connect()
        if (!statements.mayBeDead(lastAnswerAt.get(client) ?? 0))
          return bounded(client, { nameOf, statements, lastAnswerAt })
        client.release(true)
      }
    },
  }
}

interface Bounds {
  readonly nameOf: (text: string) => string | undefined
  readonly statements: OverdueStatements
  readonly lastAnswerAt: WeakMap<PoolClient, number>
}

/**
 * Drops the connection when a query is not answered, and when its plans became invalid through a migration in another
 * process.
 */
function bounded(client: PoolClient, { nameOf, statements, lastAnswerAt }: Bounds): PostgresPoolClient {
  let unusable = false

  const drop = () => {
    unusable = true
    // While a query runs, this closes the socket immediately.
    client.end()
  }
  const send = async (config: QueryConfig) => {
    const answered = statements.begin({ session: sessionOf(client), lastAnswerAt: lastAnswerAt.get(client) ?? 0, drop })
    try {
      const result = await client.query(config)
      lastAnswerAt.set(client, performance.now())
      return result
    } finally {
      answered()
    }
  }

  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not supported')
    const values = [...parameters]
    const name = nameOf(text)
    return send(name === undefined ? { text, values } : { name, text, values }).catch((error: unknown) => {
      const outdated = isOutdatedPlan(error)
      unusable ||= outdated || isUnanswered(error) || isEnded(error)
      if (outdated) return send({ text, values })
      throw error
    })
  }

  return { query, release: (destroy) => client.release(destroy === true || unusable) }
}

/**
 * Matches `cached plan must not change result type`. The statement had no effect and may run again outside a
 * transaction.
 */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan')

/** Matches admin_shutdown and crash_shutdown, after which the server closes the connection. */
const isEnded = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '57P01' || error.code === '57P02')

/** The server's number of the connection, which `@types/pg` lacks. */
const sessionOf = (client: PoolClient): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0

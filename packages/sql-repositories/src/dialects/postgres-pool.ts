import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import type { DatabaseOptions } from '../database.ts'
import { driverModule } from './driver-module.ts'
import { exactInteger } from './exact-integer.ts'
import { statementNames } from './statement-names.ts'

const INT8 = 20
/** The client gives up this much after the server should have: then the connection is dead, not slow. */
const GRACE_MS = 5000

/** A pool of `pg` that drops connections on which an answer is overdue, and outlives restarts of the server. */
export async function postgresPool({
  url,
  maxConnections = 10,
  connectTimeoutMs = 5000,
  statementTimeoutMs = 15_000,
  lockTimeoutMs = 5000,
  idleTimeoutMs = 30_000,
  preparedStatements = true,
}: DatabaseOptions): Promise<PostgresPool> {
  const { Pool, types } = (await driverModule('pg', () => import('pg'))).default
  const limited = statementTimeoutMs > 0
  const pool = new Pool({
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
  // A connection that breaks while nobody waits on it must not end the process; the pool replaces it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const nameOf = preparedStatements ? statementNames() : () => undefined
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => bounded(await pool.connect(), nameOf),
  }
}

/**
 * Drops the connection when it comes back after a query that it never answered, or with plans that a migration elsewhere
 * made useless.
 */
function bounded(client: PoolClient, nameOf: (text: string) => string | undefined): PostgresPoolClient {
  let unusable = false

  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not supported')
    const values = [...parameters]
    const name = nameOf(text)
    return client.query(name === undefined ? { text, values } : { name, text, values }).catch((error: unknown) => {
      const outdated = isOutdatedPlan(error)
      unusable ||= outdated || (error instanceof Error && error.message === 'Query read timeout')
      if (outdated) return client.query({ text, values })
      throw error
    })
  }

  return { query, release: (destroy) => client.release(destroy === true || unusable) }
}

/** "cached plan must not change result type": the statement did nothing, and may run again outside a transaction. */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan')

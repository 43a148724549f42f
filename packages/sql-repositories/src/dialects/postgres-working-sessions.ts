import type { Client } from 'pg'
import type { OverdueOptions } from './overdue-statements.ts'

const TOO_MANY_CONNECTIONS = '53300'

/**
 * Asks PostgreSQL over a new connection. Through a pooler, sessions have other numbers, or the query waits for a free
 * session. Then the result is `undefined`.
 */
export function postgresWorkingSessions(
  NewClient: typeof Client,
  url: string,
  timeoutMs: number,
): OverdueOptions['askWorking'] {
  return async (sessions) => {
    const client = new NewClient({
      connectionString: url,
      application_name: 'trivium',
      query_timeout: timeoutMs,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ own: number; pid: number | null }>(
        `select pg_backend_pid() as own, pid from (select 1) as once left join pg_stat_activity
          on pid = any($1) and (state is null or state not like 'idle%')`,
        [sessions],
      )
      if (!('processID' in client) || rows[0]?.own !== client.processID) return undefined
      return new Set(rows.flatMap(({ pid }) => pid ?? []))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === TOO_MANY_CONNECTIONS) return undefined
      // The server answered the login, but not the query.
      if (isUnanswered(error)) return undefined
      throw error
    } finally {
      client.end().catch(() => {})
    }
  }
}

/** Whether a query, and not a login, had no answer within its time limit. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

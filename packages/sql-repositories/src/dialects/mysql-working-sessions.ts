import type { Connection, RowDataPacket } from 'mysql2'
import type { OverdueOptions } from './overdue-statements.ts'

const uncertainCodes: readonly unknown[] = [
  'ER_CON_COUNT_ERROR',
  // The server answered the login, but not the query within its time limit.
  'PROTOCOL_SEQUENCE_TIMEOUT',
]

interface Row extends RowDataPacket {
  readonly own: number
  readonly id: number | null
}

/**
 * Asks the server over a new connection. Through a proxy, sessions have other numbers, or the query waits for a free
 * session. Then the result is `undefined`.
 */
export function mysqlWorkingSessions(create: () => Connection, timeoutMs: number): OverdueOptions['askWorking'] {
  return async (sessions) => {
    const connection = create()
    try {
      const rows = await ask(connection, sessions, timeoutMs)
      if (rows[0]?.own !== connection.threadId) return undefined
      return new Set(rows.flatMap(({ id }) => id ?? []))
    } catch (error) {
      if (error instanceof Error && 'code' in error && uncertainCodes.includes(error.code)) return undefined
      throw error
    } finally {
      connection.destroy()
    }
  }
}

function ask(connection: Connection, sessions: readonly number[], timeout: number): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    connection.on('error', reject)
    const sql = `select connection_id() as own, id from (select 1) as once
      left join information_schema.processlist on id in (?) and command <> 'Sleep'`
    connection.query<Row[]>({ sql, values: [sessions], timeout }, (error, rows) => {
      if (error) reject(error)
      else resolve(rows)
    })
  })
}

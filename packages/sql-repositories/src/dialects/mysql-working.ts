import type { Connection, createConnection, RowDataPacket } from 'mysql2'
import type { OverdueOptions } from './overdue-statements.ts'

/** ER_CON_COUNT_ERROR */
const TOO_MANY_CONNECTIONS = 1040

interface Row extends RowDataPacket {
  readonly own: number
  readonly id: number | null
}

/** Asks the server over a new connection. Through a proxy sessions have other numbers: then nothing can be known. */
export function mysqlWorking(
  create: typeof createConnection,
  url: string,
  timeoutMs: number,
): OverdueOptions['askWorking'] {
  return async (sessions) => {
    const connection = create({ uri: url, connectTimeout: timeoutMs })
    try {
      const rows = await ask(connection, sessions, timeoutMs)
      if (rows[0]?.own !== connection.threadId) return undefined
      return new Set(rows.flatMap(({ id }) => id ?? []))
    } catch (error) {
      if (error instanceof Error && 'errno' in error && error.errno === TOO_MANY_CONNECTIONS) return undefined
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

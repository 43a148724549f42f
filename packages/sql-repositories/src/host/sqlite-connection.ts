import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { adaptStatement } from '../dialects/node-sqlite.ts'
import type { HostSqliteOptions } from './host-options.ts'

/** Reads from a connection of the host as this package needs it, regardless of how the host reads integers. */
export const sqliteConnection = (sqlite: HostSqliteOptions['sqlite']): SqliteDatabase => ({
  prepare: (text) => {
    const statement = sqlite.prepare(text)
    if ('reader' in statement) return readingNumbers(statement)
    statement.setReadBigInts(false)
    return adaptStatement(statement)
  },
  close: () => sqlite.close(),
})

/** `better-sqlite3` alone has this method. */
function readingNumbers(statement: SqliteStatement): SqliteStatement {
  if ('safeIntegers' in statement && typeof statement.safeIntegers === 'function') statement.safeIntegers(false)
  return statement
}

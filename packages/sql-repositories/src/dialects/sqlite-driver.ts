import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type SqliteDatabase } from 'kysely'
import { isSqliteTransactionEnded } from './sqlite-errors.ts'
import { statementCache } from './sqlite-statements.ts'
import { whileBusy } from './while-busy.ts'

export interface SqliteDriverOptions {
  readonly open: () => Promise<SqliteDatabase>
  readonly lockTimeoutMs: number
  /** Closes the database with the driver. */
  readonly owned: boolean
}

/**
 * Runs Kysely on one SQLite connection. Transactions take the write lock at their start. Otherwise SQLite could refuse
 * the write of one that reads first, because another process wrote in between.
 */
export function sqliteDriver({ open, lockTimeoutMs, owned }: SqliteDriverOptions): Driver {
  let database: SqliteDatabase | undefined
  const run = (connection: DatabaseConnection, statement: string) =>
    connection.executeQuery(CompiledQuery.raw(statement))
  let connection: DatabaseConnection | undefined
  let rollbackFailed = false

  return {
    init: async () => {
      database = await open()
      connection = sqliteConnection(database, lockTimeoutMs)
    },
    acquireConnection: async () => {
      if (connection === undefined) throw new Error('the SQLite driver is not initialised')
      if (rollbackFailed) await run(connection, 'rollback')
      rollbackFailed = false
      return connection
    },
    beginTransaction: async (current, { accessMode }) => {
      await run(current, accessMode === 'read only' ? 'begin' : 'begin immediate')
    },
    commitTransaction: async (current) => {
      await run(current, 'commit')
    },
    rollbackTransaction: async (current) => {
      // After some errors, such as a full disk, SQLite has ended the transaction itself. The first error is thrown.
      await run(current, 'rollback').catch((error: unknown) => {
        rollbackFailed = !isSqliteTransactionEnded(error)
      })
    },
    releaseConnection: async () => {},
    destroy: async () => {
      if (owned) database?.close()
    },
  }
}

function sqliteConnection(database: SqliteDatabase, lockTimeoutMs: number): DatabaseConnection {
  const prepare = statementCache(database)

  const execute = ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    const statement = prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  return {
    executeQuery: async <R>(query: CompiledQuery) => {
      // SQL has no types at run time: rows have the type that the query was built for.
      return (await whileBusy(lockTimeoutMs, () => execute(query))) as QueryResult<R>
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery) {
      // Not from the cache: a statement that is being read cannot run a second time.
      for (const row of database.prepare(sql).iterate(parameters)) yield { rows: [row as R] }
    },
  }
}

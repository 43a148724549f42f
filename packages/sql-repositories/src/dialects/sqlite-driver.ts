import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, SqliteStatement } from 'kysely'
import type { NodeSqlite } from './node-sqlite.ts'
import { isSqliteFull, isSqliteTransactionEnded } from './sqlite-errors.ts'
import { statementCache } from './sqlite-statements.ts'
import { whileBusy } from './while-busy.ts'

export interface SqliteDriverOptions {
  readonly open: () => Promise<NodeSqlite>
  readonly lockTimeoutMs: number
  /** Closes the database with the driver. */
  readonly owned: boolean
}

/**
 * Runs Kysely on one SQLite connection. Transactions take the write lock at their start. Otherwise SQLite could refuse
 * the write of one that reads first, because another process wrote in between.
 */
export function sqliteDriver({ open, lockTimeoutMs, owned }: SqliteDriverOptions): Driver {
  let database: NodeSqlite | undefined
  let connection: DatabaseConnection | undefined
  let prepare: (text: string) => SqliteStatement
  let rollbackFailed = false
  const run = async (statement: string) => {
    try {
      await whileBusy(lockTimeoutMs, () => prepare(statement).run([]))
    } catch (error) {
      if (isSqliteFull(error)) database?.checkpoints?.diskIsFull()
      throw error
    }
  }

  return {
    init: async () => {
      database = await open()
      prepare = statementCache(database)
      connection = sqliteConnection(database, { prepare, lockTimeoutMs })
    },
    acquireConnection: async () => {
      if (connection === undefined) throw new Error('the SQLite driver is not initialised')
      if (rollbackFailed) await run('rollback')
      rollbackFailed = false
      return connection
    },
    beginTransaction: async (_connection, { accessMode }) => {
      await run(accessMode === 'read only' ? 'begin' : 'begin immediate')
    },
    commitTransaction: async () => {
      await run('commit')
    },
    rollbackTransaction: async () => {
      // After some errors, such as a full disk, SQLite has ended the transaction itself. The first error is thrown.
      await run('rollback').catch((error: unknown) => {
        rollbackFailed = !isSqliteTransactionEnded(error)
      })
    },
    releaseConnection: async () => {},
    destroy: async () => {
      if (!owned) return
      database?.close()
      await database?.checkpoints?.close()
    },
  }
}

interface ConnectionParts {
  readonly prepare: (text: string) => SqliteStatement
  readonly lockTimeoutMs: number
}

function sqliteConnection(database: NodeSqlite, { prepare, lockTimeoutMs }: ConnectionParts): DatabaseConnection {
  const execute = ({ sql, parameters }: CompiledQuery): QueryResult<unknown> => {
    const statement = prepare(sql)
    if (statement.reader) {
      const rows = statement.all(parameters)
      // Others return what they have written.
      if (!sql.startsWith('select')) database.checkpoints?.wrote(rows.length, parameters)
      return { rows }
    }
    const { changes, lastInsertRowid } = statement.run(parameters)
    database.checkpoints?.wrote(Number(changes), parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  return {
    executeQuery: async <R>(query: CompiledQuery) => {
      try {
        // SQL has no types at run time: rows have the type that the query was built for.
        return (await whileBusy(lockTimeoutMs, () => execute(query))) as QueryResult<R>
      } catch (error) {
        if (isSqliteFull(error)) database.checkpoints?.diskIsFull()
        throw error
      }
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery) {
      // Not from the cache: a statement that is being read cannot run a second time.
      for (const row of database.prepare(sql).iterate(parameters)) yield { rows: [row as R] }
    },
  }
}

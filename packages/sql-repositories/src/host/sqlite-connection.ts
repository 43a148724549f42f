import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { adaptStatement, withNumbers } from '../dialects/node-sqlite.ts'
import { sizeColumns } from './exact-integers.ts'
import type { HostSqliteOptions } from './host-options.ts'

/** Reads from a connection of the host as this package needs it, regardless of how the host reads integers. */
export const sqliteConnection = (sqlite: HostSqliteOptions['sqlite']): SqliteDatabase => ({
  prepare: (text) => {
    const statement = sqlite.prepare(text)
    if ('reader' in statement) return isBetterSqlite(statement) ? readingNumbers(statement) : statement
    statement.setReadBigInts(false)
    return adaptStatement(statement, text)
  },
  close: () => sqlite.close(),
})

/** What `better-sqlite3` alone has. */
interface BetterSqliteStatement extends SqliteStatement {
  readonly readonly: boolean
  safeIntegers(on: boolean): unknown
  columns(): readonly { readonly name: string }[]
}

const isBetterSqlite = (statement: SqliteStatement): statement is BetterSqliteStatement =>
  'safeIntegers' in statement && typeof statement.safeIntegers === 'function'

function readingNumbers(statement: BetterSqliteStatement): SqliteStatement {
  statement.safeIntegers(false)
  if (!statement.reader || !statement.readonly) return statement
  const sizes = statement.columns().flatMap(({ name }) => (sizeColumns.has(name) ? name : []))
  if (sizes.length === 0) return statement
  const isRounded = (row: object): boolean =>
    sizes.some((name) => {
      const value: unknown = Reflect.get(row, name)
      return typeof value === 'number' && !Number.isSafeInteger(value)
    })
  return {
    reader: true,
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => statement.iterate(parameters),
    all: (parameters) => {
      const rows = statement.all(parameters)
      if (!rows.some((row) => typeof row === 'object' && row !== null && isRounded(row))) return rows
      statement.safeIntegers(true)
      try {
        return statement.all(parameters).map((row) => withNumbers(Object(row)))
      } finally {
        statement.safeIntegers(false)
      }
    },
  }
}

import { closeSync, existsSync, openSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { exactInteger } from './exact-integer.ts'
import { WalCheckpoints } from './wal-checkpoints.ts'
import { whileBusy } from './while-busy.ts'

/** Pages of the log at which a write copies them itself, where another thread cannot keep up: at most 160 MB. */
const BACKSTOP_PAGES = 40_000
const PAGE_BYTES = 4_096
/** SQLite's own number. */
const USUAL_PAGES = 1_000

export interface NodeSqliteOptions {
  /** A path, or `:memory:`. */
  readonly file: string
  readonly durability: 'process' | 'power'
  readonly lockTimeoutMs: number
}

/** A database with the checkpoints of its log. */
export interface NodeSqlite extends SqliteDatabase {
  /** Absent for a database in memory. */
  readonly checkpoints?: WalCheckpoints
}

/** @throws {Error} naming the version of Node that is needed, where the runtime has no SQLite */
function builtInSqlite(): typeof import('node:sqlite') {
  // Not an import: bundlers drop the prefix `node:`, without which this module does not exist.
  const sqlite: typeof import('node:sqlite') | undefined = process.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  throw new Error(`SQLite of @trivium/sql-repositories needs Node 22.19 or newer; this is ${process.version}.`)
}

/** Opens a database with Node's built-in SQLite, in the shape that Kysely expects. */
export async function openNodeSqlite({ file, durability, lockTimeoutMs }: NodeSqliteOptions): Promise<NodeSqlite> {
  const { DatabaseSync } = builtInSqlite()
  // Created here, so that other users cannot read it. SQLite gives its log the permissions of the database. An existing file
  // is left alone: closing it would end the locks that other connections of this process have on it.
  if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  const pragma = (text: string) => whileBusy(lockTimeoutMs, () => database.exec(`pragma ${text}`))
  try {
    await pragma('foreign_keys = on')
    await pragma('cache_size = -16000')
    await pragma('temp_store = memory')
    await pragma('journal_mode = wal')
    await pragma(`synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
    await pragma(`wal_autocheckpoint = ${file === ':memory:' ? USUAL_PAGES : backstopFor(file)}`)
  } catch (error) {
    database.close()
    throw error
  }
  const onFailed = () => database.exec(`pragma wal_autocheckpoint = ${USUAL_PAGES}`)
  return {
    prepare: (text) => adaptStatement(database.prepare(text), text),
    close: () => database.close(),
    ...(file === ':memory:' ? {} : { checkpoints: new WalCheckpoints({ file: resolve(file), onFailed }) }),
  }
}

/**
 * Gives a statement of `node:sqlite` the shape that Kysely expects. Integers that a number would round are bigints in
 * the rows of a `select`. Any other statement that returns one fails.
 */
export function adaptStatement(statement: StatementSync, text: string): SqliteStatement {
  let names = columnNames(statement)
  // The objects of `node:sqlite` take twice as long to create and to read as those created here from arrays.
  statement.setReturnArrays(true)
  const toRow = (values: unknown): Record<string, unknown> => {
    if (!Array.isArray(values)) throw new TypeError('SQLite gives rows as arrays')
    // A column was added since the statement was prepared, and SQLite has prepared it again.
    if (values.length !== names.length) names = columnNames(statement)
    const row: Record<string, unknown> = {}
    names.forEach((name, index) => {
      row[name] = values[index]
    })
    return row
  }
  const readAll = (parameters: readonly unknown[]) => statement.all(...inputs(parameters)).map(toRow)
  return {
    reader: names.length > 0,
    all: (parameters) => {
      try {
        return readAll(parameters)
      } catch (error) {
        if (!(error instanceof RangeError) || !IS_SELECT.test(text)) throw error
        // Only now, since all integers of the rows then take longer to read.
        statement.setReadBigInts(true)
        try {
          return readAll(parameters).map(withNumbers)
        } finally {
          statement.setReadBigInts(false)
        }
      }
    },
    run: (parameters) => statement.run(...inputs(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...inputs(parameters))) yield toRow(values)
    },
  }
}

const IS_SELECT = /^\s*select\b/i

/** Makes those bigints of a row numbers that numbers hold exactly. */
export function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint') row[name] = exactInteger(String(value))
  }
  return row
}

const columnNames = (statement: StatementSync): readonly string[] => statement.columns().map(({ name }) => name)

function inputs(parameters: readonly unknown[]): SQLInputValue[] {
  // Kysely passes on the parameters of the query. SQLite refuses those that it cannot store.
  return parameters as SQLInputValue[]
}

/** An eighth of the free space, and never fewer pages than SQLite's own number. */
function backstopFor(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(resolve(file)))
  return Math.min(BACKSTOP_PAGES, Math.max(USUAL_PAGES, Math.floor((bavail * bsize) / 8 / PAGE_BYTES)))
}

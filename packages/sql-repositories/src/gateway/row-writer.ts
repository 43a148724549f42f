import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/** The most rows of a statement in this process. A statement of more takes no less time for each. */
const ROWS_IN_PROCESS = 16

export interface RowWriterOptions<Tables, Row> {
  readonly kysely: Kysely<Tables>
  readonly dialect: Dialect
  /** The most rows of a statement on a database server. */
  readonly rowsPerStatement: number
  /** Makes the statement that writes rows, whose parameters are all members of each row, in the order of the first row. */
  readonly build: (executor: Kysely<Tables>, rows: readonly Row[]) => Statement
}

interface Statement {
  compile(): CompiledQuery
  execute(): Promise<unknown>
}

/**
 * Writes any number of rows. In this process the statements are of 16, 8, 4, 2 and 1 rows. Each is compiled once, by Kysely
 * and by SQLite, since that takes longer than running it. The members of all rows must have one order.
 */
export function rowWriter<Tables, Row extends object>(
  options: RowWriterOptions<Tables, Row>,
): (executor: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const { kysely, dialect, rowsPerStatement, build } = options
  const compiledFor = compiledOnce((rows: readonly Row[]) => build(kysely, rows))

  return async (executor, rows) => {
    for (let start = 0; start < rows.length; ) {
      const left = rows.length - start
      const count = dialect.runsInProcess ? powerOfTwo(left) : Math.min(left, rowsPerStatement)
      const some = rows.slice(start, start + count)
      if (dialect.runsInProcess) await executor.executeQuery(compiledFor(some))
      else await build(executor, some).execute()
      start += count
    }
  }
}

/**
 * Compiles the statement for each number of rows once. Its parameters are all members of each row, in the order of the first
 * row, so the members of all rows must have one order.
 */
export function compiledOnce<Row extends object>(
  build: (rows: readonly Row[]) => Pick<Statement, 'compile'>,
): (rows: readonly Row[]) => CompiledQuery {
  const compiled = new Map<number, CompiledQuery>()
  return (rows) => {
    const query = compiled.get(rows.length) ?? build(rows).compile()
    compiled.set(rows.length, query)
    return { ...query, parameters: rows.flatMap((row) => Object.values(row)) }
  }
}

/** The largest power of two that is neither more than `count` nor more than 16. */
const powerOfTwo = (count: number): number => Math.min(ROWS_IN_PROCESS, 2 ** Math.floor(Math.log2(count)))

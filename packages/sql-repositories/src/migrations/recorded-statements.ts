import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { DialectName } from '../dialects/dialect.ts'
import { withLiterals } from './with-literals.ts'

/** Returns the rows of a query that only reads. */
export type ReadRows = (query: CompiledQuery) => Promise<readonly unknown[]>

export interface RecordedStatements {
  /** Returns the SQL of all statements since the last call that would have written. */
  take(): readonly string[]
  /** Whether rows were read since the last `take`. */
  hasRead(): boolean
  readonly dialect: Dialect
}

const parts = {
  postgres: { adapter: PostgresAdapter, introspector: PostgresIntrospector, compiler: PostgresQueryCompiler },
  mysql: { adapter: MysqlAdapter, introspector: MysqlIntrospector, compiler: MysqlQueryCompiler },
  sqlite: { adapter: SqliteAdapter, introspector: SqliteIntrospector, compiler: SqliteQueryCompiler },
}

/** A dialect of Kysely that records statements instead of running them, and passes queries to `read`. */
export function recordStatements(name: DialectName, read: ReadRows): RecordedStatements {
  let statements: string[] = []
  let wasRead = false

  const executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    if (/^\s*select\b/i.test(query.sql)) {
      wasRead = true
      // SQL has no types at run time: rows have the type that the query was built for.
      return { rows: [...(await read(query))] } as QueryResult<R>
    }
    statements.push(withLiterals(name, query))
    return { rows: [], numAffectedRows: 0n }
  }
  const connection: DatabaseConnection = {
    executeQuery,
    // biome-ignore lint/correctness/useYield: migrations do not stream
    async *streamQuery() {
      throw new Error('Migrations do not stream.')
    },
  }
  const { adapter: Adapter, introspector: Introspector, compiler: Compiler } = parts[name]
  const none = async () => {}
  return {
    hasRead: () => wasRead,
    take: () => {
      const taken = statements
      statements = []
      wasRead = false
      return taken
    },
    dialect: {
      createAdapter: () => new Adapter(),
      createIntrospector: (kysely) => new Introspector(kysely),
      createQueryCompiler: () => new Compiler(),
      createDriver: () => ({
        init: none,
        acquireConnection: async () => connection,
        releaseConnection: none,
        beginTransaction: none,
        commitTransaction: none,
        rollbackTransaction: none,
        destroy: none,
      }),
    },
  }
}

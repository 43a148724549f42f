import { type CompiledQuery, createQueryId, type Kysely, type RootOperationNode } from 'kysely'
import type { Database } from '../src/database.ts'

export interface Recording {
  /** The same database, with its queries recorded. */
  readonly database: Database
  /** Returns the queries since the last call, as they were sent. */
  take(): readonly CompiledQuery[]
}

export function recordQueries(database: Database): Recording {
  let nodes: RootOperationNode[] = []
  const kysely: Kysely<unknown> = database.kysely.withPlugin({
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return {
    database: { ...database, kysely },
    take: () => {
      const taken = nodes.map((node) => database.kysely.getExecutor().compileQuery(node, createQueryId()))
      nodes = []
      return taken
    },
  }
}

import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../src/database.ts'

/** Ends a step that reads a table along its primary key: a page in that order may, a search may not. */
export const IN_KEY_ORDER = 'in key order'

/**
 * The parts of a statement's plan that read a whole table, or sort one. Tables may be small: PostgreSQL is asked as if
 * reading one as a whole were expensive.
 */
export async function wastefulSteps(database: Database, query: CompiledQuery): Promise<readonly string[]> {
  const explain = database.dialect.name === 'sqlite' ? 'explain query plan' : 'explain'
  const plan = CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters])
  const rows = await database.kysely.connection().execute(async (connection) => {
    if (database.dialect.name === 'postgres') await sql`set enable_seqscan = off`.execute(connection)
    const { rows } = await connection.executeQuery<Record<string, unknown>>(plan)
    if (database.dialect.name === 'postgres') await sql`reset enable_seqscan`.execute(connection)
    return rows
  })
  switch (database.dialect.name) {
    case 'sqlite': {
      const inKeyOrder = await tablesInKeyOrder(database)
      return rows
        .map(({ detail }) => String(detail))
        .filter(
          (step) =>
            (step.startsWith('SCAN') && !/USING|CONSTANT ROW|^SCAN used$/.test(step)) || step.includes('TEMP B-TREE'),
        )
        .map((step) => (inKeyOrder.has(step.slice('SCAN '.length)) ? `${step} ${IN_KEY_ORDER}` : step))
    }
    case 'postgres':
      return rows.map((row) => String(row['QUERY PLAN'])).filter((step) => step.includes('Seq Scan'))
    case 'mysql':
      return rows
        .filter(({ type, table, Extra }) => {
          if (String(table).startsWith('<')) return false
          return type === 'ALL' || (type === 'index' && String(Extra).includes('filesort'))
        })
        .map((row) => JSON.stringify(row))
  }
}

async function tablesInKeyOrder({ kysely }: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_list where wr = 1`.execute(kysely)
  return new Set(rows.map(({ name }) => name))
}

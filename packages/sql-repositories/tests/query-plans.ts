import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../src/database.ts'

/** Begins the text of a step that reads the list of a parameter. */
export const OF_PARAMETER = 'SCAN json_each '

/** Ends the text of a step that reads a table in the order of its primary key. Allowed for a page, not for a search. */
export const IN_KEY_ORDER = 'in key order'

/**
 * Returns the steps of a statement's plan that read or sort a whole table. Turns sequential scans off for PostgreSQL,
 * which would otherwise prefer them for small tables.
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
            (step.startsWith('SCAN') &&
              !/USING|CONSTANT ROW|^SCAN (used|one|sized|placed|\(subquery-\d+\))$/.test(step)) ||
            step.includes('TEMP B-TREE'),
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

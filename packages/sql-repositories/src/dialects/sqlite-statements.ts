import type { SqliteDatabase, SqliteStatement } from 'kysely'

const STATEMENTS_KEPT = 256

/**
 * Keeps up to 256 prepared statements by their text. Preparing a short one takes several times as long as running it.
 */
export function statementCache(database: SqliteDatabase): (text: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>()
  return (text) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = database.prepare(text)
    if (statements.size >= STATEMENTS_KEPT) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    statements.set(text, statement)
    return statement
  }
}

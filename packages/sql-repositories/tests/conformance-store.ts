import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../src/database.ts'
import type { DatabaseKind, FreshDatabase } from './test-databases.ts'

export interface ConformanceStoreOptions {
  readonly kind: DatabaseKind
  readonly migrate: (database: Database) => Promise<void>
  /** Emptied before each test. */
  readonly tables: readonly string[]
}

/**
 * Creates one database for the tests of the enclosing suite. The returned function empties it and returns one handle
 * for each replica: different connections where the database supports several.
 */
export function conformanceStore({ kind, migrate, tables }: ConformanceStoreOptions) {
  let fresh: FreshDatabase | undefined
  const handles: Database[] = []

  beforeAll(async () => {
    fresh = await kind.create()
    const database = await fresh.open()
    await migrate(database)
    handles.push(database)
  })
  afterAll(() => fresh?.remove())

  return async (replicas: number): Promise<readonly Database[]> => {
    while (handles.length < replicas && fresh !== undefined) handles.push(await fresh.open())
    const [first] = handles
    if (first === undefined) throw new Error('The database was not opened.')
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(first.kysely)
    return handles.slice(0, replicas)
  }
}

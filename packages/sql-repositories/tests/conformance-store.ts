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
 * One database for the tests around the call. The function that comes back empties it and gives as many handles as
 * replicas are asked for: different connections wherever there can be several.
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
    if (first === undefined) throw new Error('The database was not opened')
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(first.kysely)
    return handles.slice(0, replicas)
  }
}

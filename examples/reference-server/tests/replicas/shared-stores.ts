import { redisAnswers, redisUrl } from '../../../../packages/redis-repositories/tests/test-redis.ts'
import { type DatabaseKind, sharedDatabases } from '../../../../packages/sql-repositories/tests/test-databases.ts'

/** A new, empty store that several servers share, as the variables that name it. */
export interface SharedStore {
  readonly environment: Readonly<Record<string, string>>
  remove(): Promise<void>
}

export interface SharedStoreKind {
  readonly name: string
  create(): Promise<SharedStore>
}

const onDatabase =
  (kind: DatabaseKind, more: Readonly<Record<string, string>> = {}): SharedStoreKind['create'] =>
  async () => {
    const fresh = await kind.create()
    return { environment: { DATABASE_URL: fresh.url ?? '', ...more }, remove: () => fresh.remove() }
  }

/** A store for each database. */
export const sharedDatabaseStores: readonly SharedStoreKind[] = sharedDatabases.map((kind) => ({
  name: kind.name,
  create: onDatabase(kind),
}))

/** The stores of databases, and PostgreSQL with limits and invalidations in Redis. */
export const sharedStores: readonly SharedStoreKind[] = [
  ...sharedDatabaseStores,
  ...sharedDatabases
    .filter(({ name }) => redisAnswers && name === 'PostgreSQL')
    .map((kind) => ({ name: 'Redis', create: onDatabase(kind, { REDIS_URL: redisUrl }) })),
]

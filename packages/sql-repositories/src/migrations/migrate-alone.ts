import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'

/** Chosen once at random. Migrations of other programs have other numbers. */
const POSTGRES_LOCK = 5_846_120_917_342_061n
const PATIENCE_SECONDS = 3600

/**
 * Runs migrations while no other process can. In one transaction where the database can roll back changes of the
 * schema, so `work` must have no effects outside the database.
 */
export function migrateAlone<T>(database: Database, work: (kysely: Kysely<unknown>) => Promise<T>): Promise<T> {
  switch (database.dialect.name) {
    case 'postgres':
      return transact(atReadCommitted(database), async (transaction) => {
        await lockPostgres(transaction)
        await createSchema(transaction, database.naming.schema)
        return work(transaction)
      })
    case 'mysql':
      return database.kysely.connection().execute(async (connection) => {
        await lockMysql(connection)
        try {
          return await work(connection)
        } finally {
          await sql`select release_lock(${mysqlLock})`.execute(connection)
        }
      })
    case 'sqlite':
      // The transaction has the lock for writing from its start, or from its first statement.
      return transact(database, work)
  }
}

/** A stricter isolation would not read what the process has written that had the lock before. */
const atReadCommitted = ({ kysely, dialect }: Database) =>
  ({ kysely, dialect: { ...dialect, isolation: 'read committed' } }) as const

/** Waits without the session's time limits, which apply again afterwards. A statement may take any time. */
async function lockPostgres(kysely: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ before: string }>`select current_setting('lock_timeout') as before`.execute(kysely)
  await sql`
    select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${`${PATIENCE_SECONDS}s`}, true)
  `.execute(kysely)
  await sql`select pg_advisory_xact_lock(${sql.lit(POSTGRES_LOCK)})`.execute(kysely)
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(kysely)
}

/** A role without the right to create schemas can use one that exists. */
async function createSchema(kysely: Kysely<unknown>, schema: string | undefined): Promise<void> {
  if (schema === undefined) return
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(kysely)
  if (rows.length === 0) await kysely.schema.createSchema(schema).ifNotExists().execute()
}

/** Names of locks belong to the whole server. */
const mysqlLock = sql`concat('trivium.', md5(database()))`

async function lockMysql(kysely: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ locked: unknown }>`
    select get_lock(${mysqlLock}, ${sql.lit(PATIENCE_SECONDS)}) as locked
  `.execute(kysely)
  if (Number(rows[0]?.locked) !== 1) throw new Error('Another process has been migrating the database for too long.')
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseServers, type FreshDatabase } from '../../tests/test-databases.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const schemes = { PostgreSQL: 'postgres', MariaDB: 'mysql' } as const

describe.each(databaseServers)('a pool of $name', (kind) => {
  let fresh: FreshDatabase
  let database: Database
  const isPostgres = kind.name === 'PostgreSQL'
  const wait = (seconds: number) => sql.raw(isPostgres ? `select pg_sleep(${seconds})` : `select sleep(${seconds})`)
  const one = async (query: string, { kysely }: Database = database) => {
    const { rows } = await sql.raw<{ value: unknown }>(query).execute(kysely)
    return rows[0]?.value
  }

  beforeAll(async () => {
    fresh = await kind.create()
    database = await fresh.open()
    const { integer, tableOptions, varchar } = await database.dialect.schemaTypes(database.kysely)
    await sql`create table t (id ${integer} primary key, name ${varchar(50)} unique) ${tableOptions}`.execute(
      database.kysely,
    )
  })
  afterAll(() => fresh.remove())

  it('reads integers without rounding, as numbers where they fit', async () => {
    const type = isPostgres ? 'bigint' : 'signed'
    expect(await one(`select cast(9007199254740991 as ${type}) as value`)).toBe(Number.MAX_SAFE_INTEGER)
    expect(BigInt(String(await one(`select cast(9007199254740993 as ${type}) as value`)))).toBe(9007199254740993n)
  })

  it('keeps and orders text byte by byte', async () => {
    const names = ['b', 'B', 'a ', 'a', 'á', 'é', '\u{1F600}', '\uFFFD', 'ａ']
    for (const [id, name] of names.entries()) await sql`insert into t values (${id}, ${name})`.execute(database.kysely)
    const { rows } = await sql<{ name: string }>`select name from t order by name`.execute(database.kysely)
    const bytes = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    expect(rows.map(({ name }) => name)).toEqual(bytes)
    expect((await sql`select id from t where name = 'A'`.execute(database.kysely)).rows).toEqual([])
    await sql`delete from t`.execute(database.kysely)
  })

  it('refuses text that is too long instead of truncating it', async () => {
    const long = 'x'.repeat(51)
    await expect(sql`insert into t values (1, ${long})`.execute(database.kysely)).rejects.toThrow()
  })

  it('distinguishes a duplicate from other errors', async () => {
    await sql`insert into t values (1, 'a')`.execute(database.kysely)
    const errorOf = (query: string) => one(query).catch((error: unknown) => error)
    expect(database.dialect.isDuplicate(await errorOf("insert into t values (1, 'b')"))).toBe(true)
    expect(database.dialect.isDuplicate(await errorOf("insert into t values (2, 'a')"))).toBe(true)
    expect(database.dialect.isDuplicate(await errorOf('insert into nowhere values (1)'))).toBe(false)
    await sql`delete from t`.execute(database.kysely)
  })

  it('ends a statement that takes too long, and runs the next one', async () => {
    const shortTimeout = await fresh.open({ maxConnections: 1, statementTimeoutMs: 100 })
    await expect(wait(20).execute(shortTimeout.kysely)).rejects.toThrow()
    expect(await one('select 1 as value', shortTimeout)).toBe(1)
  })

  it('waits for a free connection no longer than connectTimeoutMs', async () => {
    const singleConnection = await fresh.open({ maxConnections: 1, connectTimeoutMs: 100 })
    await singleConnection.kysely.connection().execute(async () => {
      await expect(one('select 1 as value', singleConnection)).rejects.toThrow()
    })
    expect(await one('select 1 as value', singleConnection)).toBe(1)
  })

  it('waits for a lock no longer than lockTimeoutMs', async () => {
    const waiting = await fresh.open({ lockTimeoutMs: 1000 })
    await sql`insert into t values (1, 'held')`.execute(database.kysely)
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`update t set name = 'mine' where id = 1`.execute(transaction)
      const refused = await one("update t set name = 'theirs' where id = 1", waiting).catch((error: unknown) => error)
      expect(waiting.dialect.isContention(refused)).toBe(true)
    })
    await sql`delete from t`.execute(database.kysely)
  })

  it('replaces a connection that the server ended, in use or not', async () => {
    const pool = await fresh.open({ maxConnections: 2 })
    const identity = isPostgres ? 'select pg_backend_pid() as value' : 'select connection_id() as value'
    const end = async (session: unknown) => {
      await one(isPostgres ? `select pg_terminate_backend(${session}) as value` : `kill ${session}`)
    }
    const idle = await one(identity, pool)
    await end(idle)
    const outcomes = await Promise.allSettled([one(identity, pool), one(identity, pool)])
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    await pool.kysely
      .transaction()
      .execute(async (transaction) => {
        const { rows } = await sql.raw<{ value: unknown }>(identity).execute(transaction)
        await end(rows[0]?.value)
        await sql`insert into t values (7, 'lost')`.execute(transaction)
      })
      .catch(() => {})
    expect(await one('select count(*) as value from t', pool)).toBe(0)
    expect(await one(identity, pool)).not.toBe(idle)
  })

  it('leaks no connection over a thousand uses, half of which fail', { timeout: 60_000 }, async () => {
    const pool = await fresh.open({ maxConnections: 3 })
    const use = (index: number) =>
      pool.kysely.transaction().execute(async (transaction) => {
        await sql.raw(index % 2 === 0 ? 'select 1' : 'select nonsense').execute(transaction)
      })
    let rejected = 0
    // All at the same time would wait longer for a connection than the pool allows on a busy machine.
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => use(index)))
      rejected += outcomes.filter(({ status }) => status === 'rejected').length
    }
    expect(rejected).toBe(500)
    const sessions = isPostgres
      ? 'select count(*) as value from pg_stat_activity where datname = current_database()'
      : 'select count(*) as value from information_schema.processlist where db = database()'
    const before = Number(await one(sessions))
    await pool.close()
    expect(before - Number(await one(sessions))).toBeLessThanOrEqual(3)
  })

  if (!isPostgres) return

  it('plans a frequent statement again after its table has changed', async () => {
    const pool = await fresh.open({ maxConnections: 1 })
    const all = () => sql`select * from t`.execute(pool.kysely)
    for (let use = 0; use < 8; use += 1) await all()
    await sql`alter table t add column added integer`.execute(database.kysely)
    await sql`insert into t values (1, 'a', 2)`.execute(database.kysely)
    expect((await all()).rows).toEqual([{ id: 1, name: 'a', added: 2 }])
    expect((await all()).rows).toHaveLength(1)
    await sql`delete from t`.execute(database.kysely)
  })
})

describe.each(Object.entries(schemes))('a pool of %s that cannot connect', (_name, scheme) => {
  it('fails a query immediately when no server listens', async () => {
    const database = await openDatabase(`${scheme}://root@127.0.0.1:9/test`)
    await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow()
    await database.close()
  })

  it('fails a query after connectTimeoutMs when the server does not answer', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const database = await openDatabase({
      url: `${scheme}://root@127.0.0.1:${port}/test`,
      connectTimeoutMs: 100,
    })
    await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow()
    await database.close()
    server.close()
  })
})

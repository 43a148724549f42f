import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, sqliteFile } from '../../tests/test-databases.ts'
import type { Database } from '../database.ts'

let fresh: FreshDatabase
let one: Database
let other: Database

beforeEach(async () => {
  fresh = await sqliteFile.create()
  one = await fresh.open()
  other = await fresh.open({ lockTimeoutMs: 2000 })
  await sql`create table t (id integer)`.execute(one.kysely)
})
afterEach(() => fresh.remove())

const rows = async ({ kysely }: Database) =>
  (await sql<{ id: number }>`select id from t order by id`.execute(kysely)).rows

describe('the SQLite driver', () => {
  it('waits for the transaction of another connection without blocking the event loop', async () => {
    const began = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const first = one.kysely.transaction().execute(async (transaction) => {
      await sql`insert into t values (1)`.execute(transaction)
      began.resolve()
      await finish.promise
    })
    await began.promise
    let settled = false
    const second = sql`insert into t values (2)`.execute(other.kysely).finally(() => {
      settled = true
    })
    for (let turn = 0; turn < 50; turn += 1) await setImmediate()
    expect(settled).toBe(false)
    finish.resolve()
    await Promise.all([first, second])
    expect(await rows(one)).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('reads what was committed while another connection writes', async () => {
    await one.kysely.transaction().execute(async (transaction) => {
      await sql`insert into t values (1)`.execute(transaction)
      expect(await rows(other)).toEqual([])
    })
    expect(await rows(other)).toEqual([{ id: 1 }])
  })

  it('fails with contention when a lock is held longer than lockTimeoutMs', async () => {
    const shortTimeout = await fresh.open({ lockTimeoutMs: 20 })
    await one.kysely.transaction().execute(async (transaction) => {
      await sql`insert into t values (1)`.execute(transaction)
      const refused = await sql`insert into t values (2)`.execute(shortTimeout.kysely).catch((error: unknown) => error)
      expect(shortTimeout.dialect.isContention(refused)).toBe(true)
    })
  })

  it('makes a second transaction wait before it reads, and never refuses its write', async () => {
    await sql`insert into t values (0)`.execute(one.kysely)
    const increment = ({ kysely }: Database) =>
      kysely.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number }>`select id from t`.execute(transaction)
        await setImmediate()
        await sql`update t set id = ${(rows[0]?.id ?? 0) + 1}`.execute(transaction)
      })
    await Promise.all(Array.from({ length: 40 }, (_, index) => increment(index % 2 === 0 ? one : other)))
    expect(await rows(one)).toEqual([{ id: 40 }])
  })

  it('returns columns that another connection has added since the statement was prepared', async () => {
    await sql`insert into t values (1)`.execute(one.kysely)
    const all = async () => (await sql`select * from t`.execute(one.kysely)).rows
    expect(await all()).toEqual([{ id: 1 }])
    await sql`alter table t add column name text`.execute(other.kysely)
    // Node 22 counts the columns before SQLite prepares the statement again, so its first answer has the old ones.
    expect((await all())[0]).toMatchObject({ id: 1 })
    expect(await all()).toEqual([{ id: 1, name: null }])
  })

  it('rolls back a transaction that fails', async () => {
    const failure = one.kysely.transaction().execute(async (transaction) => {
      await sql`insert into t values (1)`.execute(transaction)
      throw new Error('no')
    })
    await expect(failure).rejects.toThrow('no')
    expect(await rows(other)).toEqual([])
  })

  it('streams rows while it runs the same statement', async () => {
    await sql`insert into t values (1), (2), (3)`.execute(one.kysely)
    const seen: unknown[] = []
    for await (const row of one.kysely
      .$extendTables<{ t: { id: number } }>()
      .selectFrom('t')
      .select('id')
      .orderBy('id')
      .stream()) {
      seen.push(row)
    }
    expect(seen).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })
})

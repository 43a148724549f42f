import { sql, type Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, sharedDatabases } from '../tests/test-databases.ts'
import type { Database } from './database.ts'
import { transact } from './transact.ts'

describe.each(sharedDatabases)('transact on $name', { timeout: 30_000 }, (kind) => {
  let fresh: FreshDatabase
  let one: Database
  let other: Database

  beforeEach(async () => {
    fresh = await kind.create()
    one = await fresh.open()
    other = await fresh.open()
    const { integer, tableOptions } = await one.dialect.schemaTypes(one.kysely)
    await sql`create table t (id ${integer} primary key, value ${integer}) ${tableOptions}`.execute(one.kysely)
    await sql`insert into t values (1, 0), (2, 0)`.execute(one.kysely)
  })
  afterEach(() => fresh.remove())

  const add = (transaction: Transaction<unknown>, id: number) =>
    sql`update t set value = value + 1 where id = ${id}`.execute(transaction)
  const values = async () => (await sql`select id, value from t order by id`.execute(one.kysely)).rows

  it('runs a transaction again that the database aborted in a deadlock', async () => {
    let attempts = 0
    // Each waits with its second row until the other has its first, where both can run at the same time.
    const meeting = { arrived: 0, ...Promise.withResolvers<void>() }
    const inOrder = (database: Database, first: number, second: number) =>
      transact(database, async (transaction) => {
        attempts += 1
        await add(transaction, first)
        meeting.arrived += 1
        if (meeting.arrived === 2 || database.dialect.name === 'sqlite') meeting.resolve()
        await meeting.promise
        await add(transaction, second)
      })
    await Promise.all([inOrder(one, 1, 2), inOrder(other, 2, 1)])
    expect(await values()).toEqual([
      { id: 1, value: 2 },
      { id: 2, value: 2 },
    ])
    // The aborted one may be so fast that it collides with the other again.
    expect(attempts).toBeGreaterThanOrEqual(kind.name === 'SQLite file' ? 2 : 3)
  })

  it('runs a transaction that fails for another reason once, and rolls it back', async () => {
    let attempts = 0
    const failing = transact(one, async (transaction) => {
      attempts += 1
      await add(transaction, 1)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(attempts).toBe(1)
    expect(await values()).toMatchObject([{ value: 0 }, { value: 0 }])
  })
})

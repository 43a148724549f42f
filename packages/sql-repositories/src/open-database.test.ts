import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'trivium-open-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('openDatabase', () => {
  it.each(['', 'file.db', 'redis://127.0.0.1', 'sqlite:', 'sqlite://'])('refuses the address "%s"', async (address) => {
    await expect(openDatabase(address)).rejects.toThrow(TypeError)
  })

  it('leaves the password out of its errors', async () => {
    await expect(openDatabase('oracle://user:secret@host/db')).rejects.toThrow(/^(?!.*secret)/)
  })

  it.each(['mysql', 'mariadb', 'postgres'])('leaves the password of a malformed %s address out', async (scheme) => {
    const error = await openDatabase(`${scheme}://user:secret/word@host/db`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(inspect(error, { showHidden: true })).toMatch(/is not a valid URL\. (?!.*secret)/s)
  })

  it('opens a postgres address without a host', async () => {
    const database = await openDatabase('postgres://user:secret@/db?host=/run/postgresql')
    await database.close()
  })

  it.each([
    'sqlite:',
    'sqlite://',
  ])('creates the file of a "%s" address, readable for its owner only', async (scheme) => {
    const file = join(directory, 'new.db')
    const database = await openDatabase(`${scheme}${file}`)
    await sql`create table t (id integer)`.execute(database.kysely)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600)
    await database.close()
  })

  it('returns what was written before the file was closed', async () => {
    const url = `sqlite:${join(directory, 'kept.db')}`
    const first = await openDatabase({ url, durability: 'power' })
    await sql`create table t (id integer)`.execute(first.kysely)
    await sql`insert into t values (1)`.execute(first.kysely)
    await first.close()
    const second = await openDatabase(url)
    expect((await sql`select id from t`.execute(second.kysely)).rows).toEqual([{ id: 1 }])
    await second.close()
  })

  it.each([
    ['process', 1],
    ['power', 2],
  ] as const)('sets the sync mode of durability "%s"', async (durability, level) => {
    const database = await openDatabase({ url: `sqlite:${join(directory, 'sync.db')}`, durability })
    const pragma = async (name: string) => (await sql.raw(`pragma ${name}`).execute(database.kysely)).rows
    expect(await pragma('synchronous')).toEqual([{ synchronous: level }])
    expect(await pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(await pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }])
    await database.close()
  })

  it('fails the first query when the directory does not exist', async () => {
    const database = await openDatabase(`sqlite:${join(directory, 'no', 'file.db')}`)
    await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow(/ENOENT/)
    await database.close()
  })

  it('opens a separate store for each memory: address', async () => {
    const [one, other] = [await openDatabase('memory:'), await openDatabase('memory:')]
    await sql`create table t (id integer)`.execute(one.kysely)
    await expect(sql`select * from t`.execute(other.kysely)).rejects.toThrow(/no such table/)
    await one.close()
    await other.close()
  })

  it('uses a connection of the host, and leaves it open', async () => {
    const sqlite = new BetterSqlite3(':memory:')
    const database = await openDatabase({ sqlite })
    await sql`create table t (id integer)`.execute(database.kysely)
    await database.close()
    expect(sqlite.prepare('select count(*) as count from t').get()).toEqual({ count: 0 })
    sqlite.close()
  })

  it('reads an integer that a number would round as a bigint, and the others as numbers', async () => {
    const sqlite = new BetterSqlite3(':memory:')
    for (const database of [await openDatabase('memory:'), await openDatabase({ sqlite })]) {
      await sql`create table t (space_hard integer, files_hard integer)`.execute(database.kysely)
      for (const value of [2n ** 63n - 1n, 5, 2n ** 53n]) {
        await sql`insert into t values (${value}, 7)`.execute(database.kysely)
      }
      const all = () => sql`select * from t order by space_hard`.execute(database.kysely)
      const expected = [5, 9007199254740992n, 9223372036854775807n].map((size) => ({ space_hard: size, files_hard: 7 }))
      expect((await all()).rows).toStrictEqual(expected)
      expect(
        (await sql`select space_hard from t where space_hard > ${2n ** 53n}`.execute(database.kysely)).rows,
      ).toEqual([{ space_hard: 9223372036854775807n }])
      await sql`delete from t where space_hard > 5`.execute(database.kysely)
      expect((await all()).rows).toStrictEqual([{ space_hard: 5, files_hard: 7 }])
      await database.close()
    }
    sqlite.close()
  })

  it('fails instead of writing a second time when a write returns an integer that a number would round', async () => {
    const database = await openDatabase('memory:')
    await sql`create table t (id integer)`.execute(database.kysely)
    const insert = sql`insert into t values (9007199254740993) returning id`.execute(database.kysely)
    await expect(insert).rejects.toThrow(/too large/)
    const { rows } = await sql`select count(*) as count from t`.execute(database.kysely)
    expect(rows).toEqual([{ count: 1 }])
    await database.close()
  })
})

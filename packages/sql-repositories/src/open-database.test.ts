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

  it('refuses an integer that it would have to round', async () => {
    const database = await openDatabase('memory:')
    await expect(sql`select 9007199254740993 as number`.execute(database.kysely)).rejects.toThrow(/too large/)
    await database.close()
  })
})

import { DatabaseSync } from 'node:sqlite'
import { withProjectDefaults } from '@trivium/emulation-core/ports'
import type { QuotaRule } from '@trivium/storage-core'
import type { Size } from '@trivium/storage-core/ports'
import BetterSqlite3 from 'better-sqlite3'
import { type CompiledQuery, Kysely, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import { createPool as createPromisePool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { sqlProjects } from '../src/emulation/sql-projects.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { integerColumns } from '../src/host/exact-integers.ts'
import { openDatabase } from '../src/open-database.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import { databaseServers, type FreshDatabase } from './test-databases.ts'

const aProject = (id: string) =>
  withProjectDefaults({
    // Ids are opaque to repositories.
    id: id as never,
    path: '/p',
    temporary: false,
    createdAt: new Date(5),
    revision: 1,
  })

const value = async ({ kysely }: Pick<Database, 'kysely'>, query: string) => {
  const { rows } = await sql.raw<{ value: unknown }>(query).execute(kysely)
  return rows[0]?.value
}

describe('openDatabase', () => {
  const none: readonly unknown[] = [undefined, null, 7, {}, { pool: undefined }, { tablePrefix: 'x_' }]

  it.each(none)('refuses %j and names what it takes', async (input) => {
    const opening = Reflect.apply(openDatabase, undefined, [input])
    await expect(opening).rejects.toThrow(TypeError)
    await expect(opening).rejects.toThrow(/takes an address, .*pg or mysql2.*kysely.*sqlite/)
  })

  const pool = new pg.Pool()
  const sqlite = new DatabaseSync(':memory:')
  const prefix = { toString: () => 'x_' }
  const wrong: readonly [subject: string, message: string, database: unknown, options?: unknown][] = [
    [
      'a client of pg',
      "'pool' must be a pool of pg or mysql2, and not a single connection.",
      { pool: new pg.Client() },
    ],
    ['an object as a pool', "'pool' must be a pool of pg or mysql2, and not a single connection.", { pool: {} }],
    [
      'a client of another database',
      "'pool' must be a pool of pg or mysql2, and not a single connection.",
      { pool: { connect: async () => {} } },
    ],
    ['an object as a Kysely instance', "'kysely' must be a Kysely instance.", { kysely: {} }],
    ['a null as a Kysely instance', "'kysely' must be a Kysely instance.", { kysely: null }],
    ['a path', "'sqlite' must be a connection of node:sqlite or better-sqlite3.", { sqlite: 'file.db' }],
    ['an address that is not a text', "'url' must be an address such as 'sqlite:FILE'.", { url: 7 }],
    ['two databases', "Only one of 'pool' and 'sqlite' can be given.", { pool, sqlite }],
    ['an address and a database', "Only one of 'url' and 'sqlite' can be given.", { url: 'memory:', sqlite }],
    ['an unknown option', "openDatabase has no option 'tableprefix' beside 'sqlite'.", { sqlite, tableprefix: 'x_' }],
    [
      'an option of addresses',
      "openDatabase has no option 'maxConnections' beside 'pool'.",
      { pool, maxConnections: 5 },
    ],
    ['an unknown option', "openDatabase has no option 'maxConections'.", { url: 'memory:', maxConections: 5 }],
    ['an unknown second option', "openDatabase has no option 'tablePreffix'.", 'memory:', { tablePreffix: 'x_' }],
    ['a second address', "openDatabase has no option 'url'.", 'memory:', { url: 'memory:' }],
    ['options that are a text', 'The options of openDatabase must be an object.', 'memory:', 'x_'],
    [
      'options beside an object',
      'openDatabase takes a second argument only for an address. Add its options to the object.',
      { sqlite },
      { tablePrefix: 'x_' },
    ],
    ['a prefix that is not a text', "'tablePrefix' must be a text.", { sqlite, tablePrefix: prefix }],
    ['a prefix that is not a text', "'tablePrefix' must be a text.", 'memory:', { tablePrefix: prefix }],
    ['a schema that is not a text', "'schema' must be a text.", { pool, schema: prefix }],
    ['an unknown durability', "'durability' must be 'process' or 'power'.", 'memory:', { durability: 'powr' }],
  ]

  it.each(wrong)('refuses %s: %s', async (_, message, ...given) => {
    await expect(Reflect.apply(openDatabase, undefined, given)).rejects.toThrow(new TypeError(message))
  })

  it('refuses connections of mysql2', async () => {
    const message = "'pool' must be a pool of pg or mysql2, and not a single connection."
    // Nothing listens on this port, and the connection is not used.
    const connection = createConnection({ host: '127.0.0.1', port: 1 })
    connection.on('error', () => {})
    for (const single of [connection, connection.promise()]) {
      await expect(Reflect.apply(openDatabase, undefined, [{ pool: single }])).rejects.toThrow(new TypeError(message))
    }
    connection.destroy()
  })

  it('takes what is undefined as absent', async () => {
    const options = { sqlite, pool: undefined, tablePrefix: undefined, tablePreffix: undefined }
    await expect(Reflect.apply(openDatabase, undefined, [options, undefined])).resolves.toBeDefined()
    await expect(Reflect.apply(openDatabase, undefined, [options, {}])).resolves.toBeDefined()
  })

  it('refuses a transaction of Kysely', async () => {
    const kysely = new Kysely({ dialect: new SqliteDialect({ database: new BetterSqlite3(':memory:') }) })
    await kysely.transaction().execute(async (transaction) => {
      await expect(openDatabase({ kysely: transaction })).rejects.toThrow(/transaction/)
    })
    await kysely.destroy()
  })

  it('takes a Kysely instance with an adapter of its own when the dialect is named', async () => {
    const own = await openDatabase('memory:')
    await expect(openDatabase({ kysely: own.kysely })).rejects.toThrow(/Name it as `dialect`/)
    const named = Reflect.apply(openDatabase, undefined, [{ kysely: own.kysely, dialect: 'oracle' }])
    await expect(named).rejects.toThrow(/Name it as `dialect`/)
    const database = await openDatabase({ kysely: own.kysely, dialect: 'sqlite' })
    await migrateEmulation(database)
    expect(await sqlProjects(database).list()).toEqual([])
    await own.close()
  })

  it.each(['a-b', '1a', 'a b', 'ä', 'x'.repeat(21), '";--'])('refuses the table prefix %j', async (tablePrefix) => {
    await expect(openDatabase('memory:', { tablePrefix })).rejects.toThrow(TypeError)
  })

  it('refuses a schema that is malformed, or for a database other than PostgreSQL', async () => {
    await expect(openDatabase('memory:', { schema: 'a' })).rejects.toThrow(/PostgreSQL only/)
    await expect(openDatabase('mysql://127.0.0.1/a', { schema: 'a' })).rejects.toThrow(/PostgreSQL only/)
    await expect(openDatabase('postgres://127.0.0.1/a', { schema: 'a.b' })).rejects.toThrow(/malformed/)
    await expect(openDatabase('postgres://127.0.0.1/a', { schema: 'x'.repeat(64) })).rejects.toThrow(/malformed/)
  })
})

describe('a Kysely instance whose driver rounds integers', () => {
  it('keeps no rule with a limit that it would round, and reads all others', async () => {
    const kysely = new Kysely({ dialect: new SqliteDialect({ database: new BetterSqlite3(':memory:') }) })
    const database = await openDatabase({ kysely })
    await migrateStorage(database)
    const { quotaRules } = sqlStorageRepositories(database)
    const rule = (qtree: string, spaceHard: Size): QuotaRule => ({
      // Ids are opaque to repositories.
      uuid: qtree as never,
      svm: { uuid: 's' as never, name: 's' },
      volume: { uuid: 'v' as never, name: 'v' },
      target: { type: 'tree', qtree },
      limits: { spaceHard },
    })
    const kept = rule('a', Number.MAX_SAFE_INTEGER)
    await quotaRules.add(kept)
    const refusal = /rounded the integer of column "space_hard"/
    await expect(quotaRules.add(rule('b', 2n ** 63n - 1n))).rejects.toThrow(refusal)
    await expect(quotaRules.update(kept.uuid, { limits: { spaceHard: 2n ** 53n + 1n } })).rejects.toThrow(refusal)
    expect(await quotaRules.list({ query: { all: [] }, order: [], limit: 5 })).toEqual({ records: [kept] })
    await kysely.destroy()
  })
})

describe('a table prefix', () => {
  it('separates two services in one database', async () => {
    const sqlite = new DatabaseSync(':memory:')
    const [one, other] = [
      await openDatabase({ sqlite, tablePrefix: 'one_' }),
      await openDatabase({ sqlite, tablePrefix: 'other_' }),
    ]
    for (const database of [one, other]) await migrateEmulation(database)
    expect(await sqlProjects(one).add(aProject('a'))).toBe(true)
    expect(await sqlProjects(other).list()).toEqual([])
    expect(await sqlProjects(other).add(aProject('a'))).toBe(true)
    expect(await sqlProjects(one).list()).toHaveLength(1)
    sqlite.close()
  })

  it('begins all names, which have at most 63 characters with the longest prefix', async () => {
    const sqlite = new DatabaseSync(':memory:')
    const tablePrefix = 'x'.repeat(20)
    const texts: string[] = []
    const recording: Pick<DatabaseSync, 'prepare' | 'close'> = {
      close: () => {},
      prepare: (text) => {
        texts.push(text)
        return sqlite.prepare(text)
      },
    }
    const database = await openDatabase({ sqlite: recording, tablePrefix })
    await migrateGateway(database)
    await migrateEmulation(database)
    await migrateStorage(database)
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where name not like 'sqlite_%'
    `.execute(database.kysely)
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter(({ name }) => !name.startsWith(tablePrefix))).toEqual([])
    // Also tables that exist for a while, and constraints.
    const names = texts.flatMap((text) => [...text.matchAll(/"(x{20}\w+)"/g)].map(([, name = '']) => name))
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63)
    sqlite.close()
  })
})

describe('the list of integer columns', () => {
  it('has all columns of integers whose name no column of text has', async () => {
    const database = await openDatabase('memory:')
    await migrateGateway(database)
    await migrateEmulation(database)
    await migrateStorage(database)
    const columns = (await database.kysely.introspection.getTables()).flatMap((table) => table.columns)
    const ofType = (isInteger: boolean) =>
      new Set(
        columns.filter(({ dataType }) => (dataType.toLowerCase() === 'integer') === isInteger).map(({ name }) => name),
      )
    const texts = ofType(false)
    expect([...ofType(true)].filter((name) => !texts.has(name) && !integerColumns.has(name))).toEqual([])
    expect([...texts].filter((name) => integerColumns.has(name))).toEqual([])
    await database.close()
  })
})

describe('a SQLite connection of the host', () => {
  it.each([
    ['node:sqlite', () => new DatabaseSync(':memory:', { readBigInts: true })],
    ['better-sqlite3', () => new BetterSqlite3(':memory:').defaultSafeIntegers()],
  ])('stays open as %s, and reads numbers for us and bigint for the host', async (_name, open) => {
    const sqlite = open()
    const database = await openDatabase({ sqlite, tablePrefix: 'tv_' })
    await migrateEmulation(database)
    await sqlProjects(database).add(aProject('a'))
    expect((await sqlProjects(database).list())[0]).toEqual(aProject('a'))
    await database.close()
    expect(sqlite.prepare('select revision from tv_emulation_projects').get()).toEqual({ revision: 1n })
    sqlite.close()
  })
})

for (const kind of databaseServers) {
  const isPostgres = kind.name === 'PostgreSQL'
  describe(`a pool of the host on ${kind.name}`, () => {
    let fresh: FreshDatabase
    beforeAll(async () => {
      fresh = await kind.create()
    })
    afterAll(() => fresh.remove())

    if (isPostgres) {
      it('keeps its sessions, parsers and connections', async () => {
        const pool = new pg.Pool({
          connectionString: fresh.url,
          max: 1,
          options: '-c default_transaction_isolation=serializable -c timezone=Asia/Kolkata -c lock_timeout=1234',
          types: { getTypeParser: () => () => 'parsed' },
        })
        const settings = async () => {
          const { rows } = await pool.query({
            text: 'select name, setting, source from pg_settings order by name',
            rowMode: 'array',
            types: { getTypeParser: () => String },
          })
          return rows
        }
        const before = await settings()
        const database = await openDatabase({ pool, schema: 'own', tablePrefix: 'tv_' })
        await migrateEmulation(database)
        expect(await sqlProjects(database).add(aProject('a'))).toBe(true)
        expect(await sqlProjects(database).list()).toEqual([aProject('a')])
        expect(await settings()).toEqual(before)
        await database.close()
        expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 'parsed' }])
        expect(pool.totalCount).toBe(1)
        await pool.end()
      })

      it('survives the end of a connection that is in use, and uses another', async () => {
        const pool = new pg.Pool({ connectionString: fresh.url, max: 2 })
        pool.on('error', () => {})
        const database = await openDatabase({ pool })
        const other = await fresh.open()
        const lost = database.kysely.transaction().execute(async (transaction) => {
          const pid = await value({ kysely: transaction }, 'select pg_backend_pid() as value')
          await value(other, `select pg_terminate_backend(${Number(pid)}) as value`)
          await value({ kysely: transaction }, 'select 1 as value')
        })
        await expect(lost).rejects.toThrow()
        expect(await value(database, 'select 2 as value')).toBe(2)
        await pool.end()
      })

      it('throws a TypeError when it reads the binary format', async () => {
        // An option of the driver that its types lack.
        const connect = () => Promise.reject(new Error('not connected'))
        const pool = { options: { binary: true }, totalCount: 0, connect }
        await expect(openDatabase({ pool })).rejects.toThrow(/binary/)
      })

      it('creates no schema that exists, and needs no right where nothing is to be migrated', async () => {
        const admin = await fresh.open()
        const role = `r${crypto.randomUUID().replaceAll('-', '')}`
        const run = (text: string) => sql.raw(text).execute(admin.kysely)
        await run(`create role ${role}`)
        await run(`create schema given authorization ${role}`)
        const pool = new pg.Pool({ connectionString: fresh.url, options: `-c role=${role}` })
        const database = await openDatabase({ pool, schema: 'given' })
        await migrateEmulation(database)
        expect(await sqlProjects(database).list()).toEqual([])
        await expect(openDatabase({ pool, schema: 'another' }).then(migrateEmulation)).rejects.toThrow(/permission/)
        await run(`alter schema given owner to current_user`)
        await run(`grant usage on schema given to ${role}`)
        await migrateEmulation(database)
        expect(await sqlProjects(database).list()).toEqual([])
        await pool.end()
        await run(`drop schema given cascade`)
        await run(`drop role ${role}`)
      })
      return
    }

    it('keeps its sessions and connections, with callbacks or promises', async () => {
      const options = { uri: fresh.url ?? '', connectionLimit: 1, timezone: '+05:30' }
      const promises = createPromisePool({ ...options, rowsAsArray: true, typeCast: () => 'cast' })
      const callbacks = createPool(options)
      for (const pool of [callbacks, promises]) {
        const runner = pool === promises ? promises : callbacks.promise()
        await runner.query("set time_zone = '+02:00'")
        await runner.query('set session transaction isolation level serializable')
        const settings = async () => {
          const [rows] = await runner.query({ sql: 'show session variables', typeCast: (field) => field.string() })
          return JSON.stringify(rows)
            .split('],[')
            .flatMap((row) => row.split('},{'))
            .filter((row) => !/timestamp|last_|rand_seed|insert_id|identity|gtid/i.test(row))
        }
        const before = await settings()
        const database = await openDatabase({ pool, tablePrefix: pool === promises ? 'p_' : 'c_' })
        await migrateEmulation(database)
        expect(await sqlProjects(database).add(aProject('a'))).toBe(true)
        expect(await sqlProjects(database).list()).toEqual([aProject('a')])
        expect(await settings()).toEqual(before)
        await database.close()
        await runner.query('select 1')
        await runner.end()
      }
    })

    it.each([
      ['queryFormat', { queryFormat: () => 'select 1' }, /queryFormat/],
      ['FOUND_ROWS', { flags: ['-FOUND_ROWS'] }, /FOUND_ROWS/],
      ['character set', { charset: 'latin1' }, /latin1/],
    ])('fails a query where its %s would change what is stored', async (_name, options, message) => {
      const pool = createPool({ uri: fresh.url ?? '', ...options })
      const database = await openDatabase({ pool })
      await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow(message)
      await pool.promise().end()
    })
  })

  it(`finds the dialect of a Kysely instance on ${kind.name} by its adapter, and leaves it open`, async () => {
    const fresh = await kind.create()
    const url = fresh.url ?? ''
    const dialect = isPostgres
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) })
      : new MysqlDialect({ pool: createPool({ uri: url, supportBigNumbers: true, bigNumberStrings: true }) })
    const queries: CompiledQuery[] = []
    const kysely = new Kysely<{ own: { id: number } }>({ dialect, log: ({ query }) => void queries.push(query) })
    const database = await openDatabase({ kysely, tablePrefix: 'tv_' })
    expect(database.dialect.name).toBe(isPostgres ? 'postgres' : 'mysql')
    await migrateEmulation(database)
    await sqlProjects(database).add(aProject('a'))
    expect(await sqlProjects(database).list()).toEqual([aProject('a')])
    await database.close()
    expect((await sql`select 1 as one`.execute(kysely)).rows).toHaveLength(1)
    expect(queries.length).toBeGreaterThan(5)
    await kysely.destroy()
    await fresh.remove()
  })
}

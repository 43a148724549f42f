import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const run = promisify(execFile)

/** What the thread runs instead of its own code. */
let brokenCode: string | undefined
vi.mock('node:worker_threads', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:worker_threads')>()
  class Worker extends original.Worker {
    constructor(code: string | URL, options?: import('node:worker_threads').WorkerOptions) {
      super(brokenCode ?? code, options)
    }
  }
  return { ...original, Worker }
})

const ROW_BYTES = 2_000
const ROWS = 200
/** More rows than the thread waits for. */
const MANY_ROUNDS = 60

const ENOUGH_BYTES = 10_000_000
const BACKSTOP_BYTES = 150_000_000

/** Begins each transaction before the one before it ends. */
const overlappingReader = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const readers = [new DatabaseSync(workerData), new DatabaseSync(workerData)]
  const begin = (reader) => reader.exec('begin; select 1 from t limit 1')
  begin(readers[0])
  parentPort.postMessage('reading')
  setInterval(() => {
    begin(readers[1])
    readers[0].exec('commit')
    readers.reverse()
  }, 2)
`

let directory: string
let file: string
let database: Database

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'trivium-checkpoints-'))
  file = join(directory, 'test.db')
  database = await openDatabase(`sqlite:${file}`)
  await sql`create table t (text text)`.execute(database.kysely)
})
afterEach(async () => {
  brokenCode = undefined
  await database.close()
  rmSync(directory, { recursive: true })
})

const text = 'x'.repeat(ROW_BYTES)
const insert = async (kysely: Kysely<unknown>) => {
  const values = sql.join(Array.from({ length: ROWS }, () => sql`(${text})`))
  await sql`insert into t values ${values}`.execute(kysely)
  await setImmediate()
}
const logBytes = () => statSync(`${file}-wal`).size
const rowsIn = async ({ kysely }: Database) =>
  (await sql<{ count: number }>`select count(*) as count from t`.execute(kysely)).rows[0]?.count
const pagesOfOwnCheckpoints = async () =>
  (await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(database.kysely)).rows[0]
    ?.wal_autocheckpoint

describe('the checkpoints of a SQLite file', () => {
  it('let the log begin again during writes, while there is always a reader', { timeout: 120_000 }, async () => {
    const reader = new Worker(overlappingReader, { eval: true, workerData: file })
    await once(reader, 'message')
    let written = 0
    const isBounded = () => written > logBytes() + ENOUGH_BYTES
    // Less than the backstop, at which a write would copy the log.
    while (written < BACKSTOP_BYTES && !isBounded()) {
      const began = performance.now()
      await insert(database.kysely)
      written += ROWS * ROW_BYTES
      // Half of the time is left to others. Where none is, the backstop bounds the log.
      await setTimeout(performance.now() - began)
    }
    await reader.terminate()
    expect(isBounded()).toBe(true)
    expect(await rowsIn(database)).toBe(written / ROW_BYTES)
    expect(await pagesOfOwnCheckpoints()).toBe(40_000)
  })

  it('end with the database, whose log is removed', async () => {
    for (let round = 0; round < MANY_ROUNDS; round += 1) await insert(database.kysely)
    await database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  it('let several connections write to one file', async () => {
    const other = await openDatabase(`sqlite:${file}`)
    for (let round = 0; round < MANY_ROUNDS; round += 1) {
      await Promise.all([insert(database.kysely), insert(other.kysely)])
    }
    await other.close()
    expect(await rowsIn(database)).toBe(2 * MANY_ROUNDS * ROWS)
  })

  it('empty the log where a write finds no space', async () => {
    await sql`pragma max_page_count = 1000`.execute(database.kysely)
    const fill = async () => {
      for (;;) await insert(database.kysely)
    }
    await expect(fill()).rejects.toThrow('full')
    await expect.poll(logBytes, { timeout: 20_000 }).toBe(0)
    expect(await rowsIn(database)).toBeGreaterThan(ROWS)
  })

  it('keep no process running', async () => {
    const module = join(import.meta.dirname, '../open-database.ts')
    const code = `
      import { sql } from 'kysely'
      const { openDatabase } = await import(${JSON.stringify(module)})
      const { kysely } = await openDatabase(${JSON.stringify(`sqlite:${join(directory, 'other.db')}`)})
      await sql\`create table t (number integer)\`.execute(kysely)
      for (let round = 0; round < 100; round += 1) {
        await sql\`insert into t select value from json_each(\${JSON.stringify(Array(100).fill(1))})\`.execute(kysely)
      }
      console.log('written')`
    const args = ['--conditions=@trivium/source', '--experimental-strip-types', '--input-type=module', '-e', code]
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000 })
    expect(stdout.trim()).toBe('written')
  })

  it.each([
    ['does not start', 'throw new Error("broken")'],
    ['ends', 'process.exit()'],
  ])('happen within writes where the thread %s', async (_case, code) => {
    brokenCode = code
    while ((await pagesOfOwnCheckpoints()) !== 1_000) await insert(database.kysely)
    await insert(database.kysely)
    await database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})

it('keeps the locks of a SQLite file when this process opens it again', async () => {
  await insert(database.kysely)
  const again = await openDatabase(`sqlite:${file}`)
  await sql`select 1`.execute(again.kysely)
  // The last connection to a file removes its log.
  await run(process.execPath, [
    '-e',
    `const { DatabaseSync } = require('node:sqlite'); const other = new DatabaseSync(${JSON.stringify(file)}); other.exec('select count(*) from t'); other.close()`,
  ])
  expect(existsSync(`${file}-wal`)).toBe(true)
  await again.close()
})

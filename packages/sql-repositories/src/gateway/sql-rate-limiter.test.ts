import { type AccountId, RATE_WINDOW_MS } from '@trivium/gateway-core/ports'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FreshDatabase, sqliteFile } from '../../tests/test-databases.ts'
import type { Database } from '../database.ts'
import type { AdmissionRow, GatewayTables } from './gateway-tables.ts'
import { migrateGateway } from './migrate-gateway.ts'
import { sqlRateLimiter } from './sql-rate-limiter.ts'

const start = Date.UTC(2026, 0, 2)
const at = (milliseconds: number) => new Date(start + milliseconds)
const account = (index: number) => `key-${index}` as AccountId // ids are opaque here

let fresh: FreshDatabase
let database: Database

beforeEach(async () => {
  fresh = await sqliteFile.create()
  database = await fresh.open()
  await migrateGateway(database)
})
afterEach(() => fresh.remove())

/** The same database, which counts the statements that it runs. */
function counting() {
  const counted = { statements: 0 }
  const kysely = database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      counted.statements += 1
      return result
    },
  })
  return { counted, limiter: sqlRateLimiter({ ...database, kysely }) }
}

const entries = async (): Promise<readonly AdmissionRow[]> =>
  database.kysely
    .$extendTables<GatewayTables>()
    .selectFrom('gateway_admissions')
    .selectAll()
    .orderBy('key_id')
    .orderBy('number')
    .execute()

it('decides the requests of one turn with one statement, which adds a row for each account', async () => {
  const { counted, limiter } = counting()
  const admitAll = (now: Date) =>
    Promise.all(Array.from({ length: 40 }, (_, index) => limiter.admit(account(index % 4), 100, now)))
  await admitAll(at(0))
  counted.statements = 0
  const decisions = await admitAll(at(10))
  expect(counted.statements).toBe(1)
  expect(decisions.map(({ remaining }) => remaining).sort((one, other) => one - other)[0]).toBe(80)
  expect((await entries()).map(({ number, count }) => [number, count])).toEqual(
    Array.from({ length: 4 }, () => [
      [1, 10],
      [2, 10],
    ]).flat(),
  )
})

it('gives processes that admit at the same time the limit together', async () => {
  const limiters = await Promise.all(Array.from({ length: 4 }, async () => sqlRateLimiter(await fresh.open())))
  const decisions = await Promise.all(
    Array.from({ length: 200 }, (_, index) => limiters[index % 4]?.admit(account(index % 2), 30, at(index % 50))),
  )
  expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(60)
})

it('removes the rows of a busy account that have left the window, and all but one of an idle account', async () => {
  const limiter = sqlRateLimiter(database)
  for (let index = 0; index < 10; index += 1) await limiter.admit(account(2), 100, at(index))
  for (let index = 0; index < 300; index += 1) await limiter.admit(account(1), 100, at(index * 1_000))
  const numbers = (await entries()).map(({ key_id, number }) => [key_id, number])
  expect(numbers.filter(([key]) => key === account(2))).toEqual([[account(2), 10]])
  expect(numbers.filter(([key]) => key === account(1)).length).toBeLessThan(60 + 2 * 64)
})

it('counts all admissions of a log that is longer than one page', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    key_id: account(1),
    number: index + 1,
    at: start + index,
    count: 2,
    shift: 0,
    writer: 1,
  }))
  await database.kysely.$extendTables<GatewayTables>().insertInto('gateway_admissions').values(rows).execute()
  const limiter = sqlRateLimiter(database)
  expect(await limiter.inspect(account(1), 6_000, at(2_500))).toMatchObject({ remaining: 1_000 })
  expect(await limiter.admit(account(1), 5_001, at(2_500))).toMatchObject({ admitted: true, remaining: 0 })
  expect(await limiter.admit(account(1), 5_001, at(2_501))).toEqual({
    admitted: false,
    limit: 5_001,
    remaining: 0,
    resetAt: at(RATE_WINDOW_MS),
  })
})

it('counts together again after the rows of an account were deleted by hand', async () => {
  const [one, other] = [sqlRateLimiter(database), sqlRateLimiter(await fresh.open())]
  for (let index = 0; index < 20; index += 1) await one.admit(account(1), 1_000, at(index))
  await sql`delete from gateway_admissions`.execute(database.kysely)
  // Each writes enough rows to read the log again.
  for (let index = 0; index < 300; index += 1) {
    await one.admit(account(1), 1_000, at(1_000 * index))
    await other.admit(account(1), 1_000, at(1_000 * index))
  }
  const [ofOne, ofOther] = await Promise.all(
    [one, other].map((limiter) => limiter.inspect(account(1), 1_000, at(299_000))),
  )
  expect(ofOne?.remaining).toBe(1_000 - 120)
  expect(ofOther).toEqual(ofOne)
})

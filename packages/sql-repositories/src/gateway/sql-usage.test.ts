import { setImmediate } from 'node:timers/promises'
import type { UsageRecord } from '@trivium/gateway-core'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { migrateGateway } from './migrate-gateway.ts'
import { sqlUsage } from './sql-usage.ts'

const RECORDS = 200
const noon = Date.UTC(2026, 0, 2, 12)

const records = Array.from(
  { length: RECORDS },
  (_, index): UsageRecord => ({
    id: `usage-${index}` as UsageRecord['id'], // ids are opaque here
    at: new Date(noon),
    operation: 'chat',
    model: `model-${index}`,
    provider: 'local',
    streamed: false,
    inputTokens: 1,
    outputTokens: 0,
    estimated: false,
    partial: false,
    status: 200,
    latencyMs: 12,
    images: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    searches: 0,
  }),
)

let database: Database

beforeEach(async () => {
  database = await openDatabase('memory:')
  await migrateGateway(database)
})
afterEach(() => database.close())

const rowsOf = async (table: string) =>
  (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(database.kysely)).rows[0]
    ?.count

/** Returns how many turns the event loop makes while something is written. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isRunning = true
  const ended = work.finally(() => {
    isRunning = false
  })
  let turns = 0
  while (isRunning) {
    await setImmediate()
    turns += 1
  }
  await ended
  return turns
}

it('writes and removes records of SQLite in many turns of the event loop', async () => {
  const usage = sqlUsage(database)
  expect(await turnsDuring(usage.append(records))).toBeGreaterThan(RECORDS / 20)
  expect([await rowsOf('gateway_usage'), await rowsOf('gateway_usage_sums')]).toEqual([RECORDS, 2 * RECORDS])
  expect(await turnsDuring(usage.removeBefore(new Date(noon + 86_400_000)))).toBeGreaterThan(RECORDS / 50)
  expect([await rowsOf('gateway_usage'), await rowsOf('gateway_usage_sums')]).toEqual([0, 0])
})

it('stores the rest of a batch of which a part was stored before it failed', async () => {
  const usage = sqlUsage(database)
  await sql`
    create trigger full before insert on gateway_usage when new.id = 'usage-100'
    begin select raise(abort, 'the disk is full'); end
  `.execute(database.kysely)
  await expect(usage.append(records)).rejects.toThrow('the disk is full')
  const stored = await rowsOf('gateway_usage')
  expect(await rowsOf('gateway_usage_sums')).toBe(2 * (stored ?? 0))
  await sql`drop trigger full`.execute(database.kysely)
  await usage.append(records)
  expect(await rowsOf('gateway_usage')).toBe(RECORDS)
  const [all] = (
    await sql<{ sum: number }>`select sum(input_tokens) as sum from gateway_usage_sums`.execute(database.kysely)
  ).rows
  expect(all?.sum).toBe(2 * RECORDS)
})

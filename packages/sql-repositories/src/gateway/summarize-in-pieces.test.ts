import type { ApiKeyId, UsageRecord } from '@trivium/gateway-core'
import { summarizeRecords, type UsageGrouping, type UsageId, type UsageQuery } from '@trivium/gateway-core/ports'
import { expect, it } from 'vitest'
import { openDatabase } from '../open-database.ts'
import type { GatewayTables } from './gateway-tables.ts'
import { migrateGateway } from './migrate-gateway.ts'
import { sqlUsage } from './sql-usage.ts'
import { summarizeInPieces } from './summarize-in-pieces.ts'

const start = Date.UTC(2026, 0, 1, 21, 30)
const MINUTE = 60_000

/** Several records have the same time, and several sums the same hour. */
const record = (index: number): UsageRecord => ({
  id: `usage-${index}` as UsageId, // ids are opaque here
  at: new Date(start + (index % 70) * 53 * MINUTE),
  keyId: `key-${index % 3}` as ApiKeyId, // ids are opaque here
  operation: 'chat',
  model: `model-${index % 11}`,
  ...(index % 4 > 0 && { tags: Array.from({ length: index % 4 }, (_, tag) => `tag-${(index + tag) % 5}`) }),
  ...(index % 2 === 0 && { endUser: `end-${index % 13}` }),
  streamed: false,
  inputTokens: index,
  outputTokens: 1,
  estimated: false,
  partial: false,
  status: 200,
  latencyMs: 1,
  images: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  searches: 0,
})

it('summarizes exactly, regardless of where the pieces end', async () => {
  const database = await openDatabase('memory:')
  await migrateGateway(database)
  const records = Array.from({ length: 300 }, (_, index) => record(index))
  await sqlUsage(database).append(records)
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const period = { from: new Date(start + MINUTE), to: new Date(start + 3_500 * MINUTE) }
  const groupings: readonly (readonly UsageGrouping[])[] = [
    [],
    ['day'],
    ['tag', 'hour'],
    ['key', 'model'],
    ['endUser', 'model'],
  ]
  for (const groupBy of groupings) {
    for (const more of [
      { limit: 1_000 },
      { limit: 3 },
      { limit: 1, top: { count: 2, order: 'tokens' } as const },
      { limit: 5, account: 'key-1' as ApiKeyId }, // ids are opaque here
      { limit: 5, tag: 'tag-1' },
    ]) {
      const query: UsageQuery = { ...period, groupBy, ...more }
      const expected = await summarizeRecords(records, query)
      for (const size of [1, 2, 7, 1_000]) {
        expect(await summarizeInPieces(kysely, query, size), `${size} rows, ${JSON.stringify(query)}`).toEqual(expected)
      }
    }
  }
  await database.close()
})

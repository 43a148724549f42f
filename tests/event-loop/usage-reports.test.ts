import { fetchHandler } from '@trivium/fetch-adapter'
import { type ApiKey, createGateway, type Nanodollars, type UsageRecord } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { UsageId } from '@trivium/gateway-core/ports'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100
const RECORDS = 50_000
const BATCH = 500
const HOUR = 3_600_000
const now = new Date()

const tags = Array.from({ length: 20 }, (_, index) => `tag-${index}`)

const record = (key: ApiKey, index: number): UsageRecord => ({
  id: `usage-${index}` as UsageId, // ids are opaque here
  at: new Date(now.getTime() - (index % 600) * HOUR - index),
  keyId: key.id,
  personId: key.userId,
  operation: 'chat',
  model: 'local/echo-no-llm',
  provider: 'local',
  tags,
  endUser: `end-user-${index}`,
  streamed: false,
  inputTokens: 1,
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
  cost: 1 as Nanodollars, // a whole number
})

describe.each([
  { store: 'memory', open: async () => ({ repositories: memoryGatewayRepositories(), close: async () => {} }) },
  {
    store: 'SQLite',
    open: async () => {
      const database = await openDatabase('memory:')
      await migrateGateway(database)
      return { repositories: sqlGatewayRepositories(database), close: () => database.close() }
    },
  },
])('the gateway with a store in $store', ({ store, open }) => {
  let close: () => Promise<void>
  let read: (query: string) => Promise<Response | undefined>

  beforeAll(async () => {
    const { repositories, close: closeStore } = await open()
    const gateway = createGateway({ providers: [localProvider()], repositories })
    close = async () => {
      await gateway.close()
      await closeStore()
    }
    const { key, secret } = (await gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
    for (let first = 0; first < RECORDS; first += BATCH) {
      await repositories.usage.append(Array.from({ length: BATCH }, (_, index) => record(key, first + index)))
    }
    const handle = fetchHandler(gatewayRoutes(gateway))
    const headers = { authorization: `Bearer ${secret}` }
    read = (query) => handle(new Request(`http://127.0.0.1/v1/usage?${query}`, { headers }))
  }, 120_000)
  afterAll(() => close())

  it.each([
    ['group_by=tag,hour&limit=10000', 200],
    ['group_by=hour,tag&top=1000&from=0001-01-01&to=9999-12-31', 200],
    ['group_by=end_user&limit=10000', 200],
    ['group_by=end_user,hour,model&top=1000', 200],
    ['group_by=end_user&tag=tag-1&format=csv', 200],
    ['group_by=end_user,tag&top=1000', 400],
  ])(
    'blocks the event loop for less than 100 ms of CPU time for a report %s',
    async (query, status) => {
      let least = Number.POSITIVE_INFINITY
      // Other processes and the compiler add to a single result.
      for (let round = 0; round < 3 && least >= MAX_BLOCK_MS / 2; round += 1) {
        const block = await longestBlockMs(async () => {
          const answer = await read(query)
          expect(answer?.status).toBe(status)
          await answer?.arrayBuffer()
        })
        least = Math.min(least, block)
      }
      console.info(`${store}, ${query}: the longest block of the event loop is ${least.toFixed()} ms`)
      expect(least).toBeLessThan(MAX_BLOCK_MS)
    },
    60_000,
  )
})

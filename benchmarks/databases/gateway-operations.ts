import { createHash } from 'node:crypto'
import type { ApiKey, ApiKeyId, Nanodollars, UsageRecord } from '@trivium/gateway-core'
import type { ApiKeyHash, GatewayRepositories, ReservationId } from '@trivium/gateway-core/ports'
import { type BareDriver, places } from './bare-driver.ts'
import type { Operation } from './figures.ts'

const NOTHING = 0 as Nanodollars // a whole number

const KEYS = 2_000
const BATCH = 100
const MONTH_RECORDS = 100_000
const MONTH_KEYS = 50
const start = Date.UTC(2026, 0, 2)
/** A month that begins and ends in the middle of an hour. */
const month = { from: Date.UTC(2025, 2, 1, 0, 30), to: Date.UTC(2025, 2, 31, 0, 30) }

/** Returns the operations of a request whose key is not in a cache, and of its usage records. */
export async function gatewayOperations(
  { apiKeys, usage, budgets }: GatewayRepositories,
  bare: BareDriver | undefined,
): Promise<readonly Operation[]> {
  for (let index = 0; index < KEYS; index += 1) await apiKeys.add(aKey(index))
  if (bare) {
    for (let first = 0; first < MONTH_RECORDS; first += 1_000) {
      await usage.append(Array.from({ length: 1_000 }, (_, offset) => aRecordOfTheMonth(first + offset)))
    }
  }
  const insert = `insert into gateway_usage (${usageColumns.join(', ')}) values ${places(BATCH, usageColumns.length)}`
  return [
    {
      name: 'key check by hash',
      count: 1_000,
      run: (index) => apiKeys.findByHash(hashOf((index * 7) % KEYS)),
      ...(bare && {
        floor: (index) => bare.query('select * from gateway_api_keys where hash = ?', [hashOf((index * 7) % KEYS)]),
      }),
    },
    {
      name: `usage write, ${BATCH} records of one key`,
      count: 50,
      run: (index) =>
        usage.append(
          Array.from({ length: BATCH }, (_, offset) => ({
            ...aRecord('one', index * BATCH + offset),
            keyId: idOf(0),
            model: 'local/model',
          })),
        ),
    },
    {
      name: `usage write, ${BATCH} records of as many keys`,
      count: 50,
      run: (index) =>
        usage.append(Array.from({ length: BATCH }, (_, offset) => aRecord('record', index * BATCH + offset))),
      ...(bare && {
        floor: (index) =>
          bare.query(
            insert,
            Array.from({ length: BATCH }, (_, offset) => rowOf(aRecord('bare', index * BATCH + offset))).flat(),
          ),
      }),
    },
    {
      name: `uses of ${BATCH} keys`,
      count: 20,
      run: (index) =>
        apiKeys.recordUses(
          Array.from({ length: BATCH }, (_, offset) => ({
            id: idOf((index * BATCH + offset) % KEYS),
            count: 1,
            lastUsedAt: new Date(start + index),
          })),
        ),
    },
    ...(bare ? summaries(usage, bare) : []),
    {
      name: 'budget reserved and settled',
      count: 300,
      run: async (index) => {
        const reservation = {
          id: `reservation-${index}` as ReservationId, // ids are opaque here
          accounts: [{ id: idOf(index % KEYS), budget: { tokensPerDay: 2 ** 40 } }],
          tokens: 100,
          cost: NOTHING,
          expiresAt: new Date(start + 60_000),
        }
        await budgets.reserve(reservation, new Date(start))
        const accounts = reservation.accounts.map(({ id }) => id)
        await budgets.settle({ id: reservation.id, accounts }, { tokens: 50, cost: NOTHING }, new Date(start))
      },
    },
  ]
}

/** The floor reads every record instead of stored sums. */
function summaries(usage: GatewayRepositories['usage'], bare: BareDriver): readonly Operation[] {
  const time = { from: new Date(month.from), to: new Date(month.to), limit: 10_000 }
  const fromRecords = (columns: string) =>
    bare.query(
      `select ${columns}, count(*) as requests, sum(case when status >= 400 then 1 else 0 end) as failures,
         sum(partial) as partial, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
         sum(images) as images
       from gateway_usage where at >= ? and at < ? group by ${columns} order by ${columns}`,
      [month.from, month.to],
    )
  const records = MONTH_RECORDS.toLocaleString('en')
  return [
    {
      name: `usage of a month by model, ${records} records`,
      count: 4,
      run: () => usage.summarize({ ...time, groupBy: ['model'] }),
      floor: () => fromRecords('model'),
    },
    {
      name: `usage of a month by key and day, ${records} records`,
      count: 4,
      run: () => usage.summarize({ ...time, groupBy: ['key', 'day'] }),
      floor: () => fromRecords('key_id, day'),
    },
  ]
}

// These have the form of ids and hashes.
const idOf = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}` as ApiKeyId
const hashOf = (index: number) => createHash('sha256').update(String(index)).digest('hex') as ApiKeyHash

const aKey = (index: number): ApiKey => ({
  id: idOf(index),
  hash: hashOf(index),
  hint: 'tvm_AbCd',
  userId: 'user',
  username: 'ada',
  name: `key ${index}`,
  rateLimit: 10,
  budget: {},
  policy: {},
  createdAt: new Date(start + index),
  usageCount: 0,
})

const aRecord = (name: string, index: number): UsageRecord => ({
  id: `${name}-${index}` as UsageRecord['id'], // ids are opaque here
  at: new Date(start + index),
  keyId: idOf(index % KEYS),
  operation: 'chat',
  model: `local/model-${index % 5}`,
  provider: 'local',
  streamed: index % 2 === 0,
  inputTokens: 100,
  outputTokens: 20,
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
})

const aRecordOfTheMonth = (index: number): UsageRecord => ({
  ...aRecord('month', index),
  at: new Date(month.from + Math.floor(((month.to - month.from) * index) / MONTH_RECORDS)),
  keyId: idOf((index * 7) % MONTH_KEYS),
})

const usageColumns = [
  ...['id', 'at', 'day', 'key_id', 'operation', 'model', 'provider', 'streamed', 'input_tokens', 'output_tokens'],
  ...['estimated', 'partial', 'status', 'latency_ms', 'images'],
]

const rowOf = (record: UsageRecord): readonly (string | number | null)[] => [
  record.id,
  record.at.getTime(),
  record.at.toISOString().slice(0, 10),
  record.keyId ?? '',
  record.operation,
  record.model,
  record.provider ?? null,
  Number(record.streamed),
  record.inputTokens,
  record.outputTokens,
  Number(record.estimated),
  Number(record.partial),
  record.status,
  record.latencyMs,
  record.images,
]

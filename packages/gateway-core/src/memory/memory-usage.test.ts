import { expect, it } from 'vitest'
import { usageRepositoryConformance } from '../conformance/index.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import { memoryUsage } from './memory-usage.ts'

usageRepositoryConformance((replicas) => Array(replicas).fill(memoryUsage()))

it('memoryUsage keeps the newest records when there are more than its capacity', async () => {
  const usage = memoryUsage({ capacity: 3 })
  for (let index = 0; index < 5; index += 1) await usage.append([record(index)])
  const all = { from: new Date(0), to: new Date(2_000), groupBy: ['model'], limit: 10 } as const
  expect(await usage.summarize(all)).toMatchObject([2, 3, 4].map((index) => ({ model: `model-${index}` })))
})

const record = (index: number): UsageRecord => ({
  id: `usage-${index}` as UsageId, // ids are opaque here
  at: new Date(1_000),
  operation: 'chat',
  model: `model-${index}`,
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
})

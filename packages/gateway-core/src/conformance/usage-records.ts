import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import type { UsageQuery, UsageRepository, UsageSummary } from '../usage/usage-repository.ts'

const noon = Date.UTC(2026, 0, 2, 12)

/** A query of all records of 2025 and 2026. */
export const queryAll = (differences: Partial<UsageQuery> = {}): UsageQuery => ({
  from: new Date(Date.UTC(2025, 0, 1)),
  to: new Date(Date.UTC(2027, 0, 1)),
  groupBy: [],
  limit: 100,
  ...differences,
})

/** The sums of no records. */
export const noUsage = {
  requests: 0,
  failures: 0,
  partial: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioTokens: 0,
  searches: 0,
  images: 0,
  cost: 0n,
}

/** A record with nothing used, ended at noon of 2026-01-02. */
export const usageRecord = (index: number, differences: Partial<UsageRecord> = {}): UsageRecord => ({
  id: `usage-${index}` as UsageId, // ids are opaque here
  at: new Date(noon),
  operation: 'chat',
  model: 'model',
  provider: 'local',
  streamed: false,
  inputTokens: 0,
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
  ...differences,
})

/** Returns the summaries of a store of few records. */
export async function summariesOf(usage: UsageRepository, query: UsageQuery): Promise<readonly UsageSummary[]> {
  const summaries = await usage.summarize(query)
  if (summaries === 'too-large') throw new Error('the summaries are too large')
  return summaries
}

import type { UsageRecord } from '@trivium/gateway-core'
import { accountOwner, type UsageSummary } from '@trivium/gateway-core/ports'

type Sum = number | string

/** A summary as databases return it. Values that records lack are empty. */
export interface SummaryRow {
  /** 0 for the sums of the groups after the largest. Absent where all groups are listed. */
  readonly place?: Sum
  readonly key_id?: string
  readonly host_user?: string
  readonly person_id?: string
  readonly team_id?: string
  readonly tag?: string
  readonly model?: string
  readonly provider?: string
  readonly upstream_model?: string
  readonly status?: Sum
  readonly operation?: UsageRecord['operation']
  readonly end_user?: string
  readonly hour?: Sum
  readonly day?: string
  readonly month?: string
  readonly requests: Sum
  readonly failures: Sum
  readonly partial: Sum
  readonly input_tokens: Sum
  readonly output_tokens: Sum
  readonly images: Sum
  readonly cached_tokens: Sum
  readonly cache_write_tokens: Sum
  readonly reasoning_tokens: Sum
  readonly audio_tokens: Sum
  readonly searches: Sum
  readonly cost_billions: Sum
  readonly cost_rest: Sum
}

export function toSummary(row: SummaryRow): UsageSummary {
  return {
    ...(row.place !== undefined && Number(row.place) === 0 ? { isOther: true } : groupOf(row)),
    requests: Number(row.requests),
    failures: Number(row.failures),
    partial: Number(row.partial),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cachedTokens: Number(row.cached_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    audioTokens: Number(row.audio_tokens),
    searches: Number(row.searches),
    images: Number(row.images),
    cost: BigInt(Number(row.cost_billions)) * 1_000_000_000n + BigInt(Number(row.cost_rest)),
  }
}

const groupOf = (row: SummaryRow) => ({
  ...(row.key_id ? accountOwner(row.key_id) : {}),
  ...(row.host_user ? accountOwner(row.host_user) : {}),
  ...(row.person_id ? { personId: row.person_id } : {}),
  ...(row.team_id ? { teamId: row.team_id } : {}),
  ...(row.tag ? { tag: row.tag } : {}),
  ...(row.model === undefined ? {} : { model: row.model }),
  ...(row.provider ? { provider: row.provider } : {}),
  ...(row.upstream_model ? { upstreamModel: row.upstream_model } : {}),
  ...(row.status === undefined ? {} : { status: Number(row.status) }),
  ...(row.operation ? { operation: row.operation } : {}),
  ...(row.end_user ? { endUser: row.end_user } : {}),
  ...(row.hour === undefined ? {} : { hour: `${new Date(Number(row.hour)).toISOString().slice(0, 13)}:00Z` }),
  ...(row.day === undefined ? {} : { day: row.day }),
  ...(row.month === undefined ? {} : { month: row.month }),
})

import { createHash } from 'node:crypto'
import type { UsageRecord } from '@trivium/gateway-core'
import { accountIdOf } from '@trivium/gateway-core/ports'
import type { UsageRow } from './gateway-tables.ts'

export function toRow(record: UsageRecord): UsageRow {
  return {
    id: record.id,
    at: record.at.getTime(),
    day: record.at.toISOString().slice(0, 10),
    key_id: accountIdOf(record) ?? '',
    operation: record.operation,
    model: record.model,
    provider: record.provider ?? null,
    streamed: Number(record.streamed),
    input_tokens: record.inputTokens,
    output_tokens: record.outputTokens,
    estimated: Number(record.estimated),
    partial: Number(record.partial),
    status: record.status,
    latency_ms: record.latencyMs,
    first_token_ms: record.firstTokenMs ?? null,
    images: record.images,
    cached_tokens: record.cachedTokens,
    cache_write_tokens: record.cacheWriteTokens,
    reasoning_tokens: record.reasoningTokens,
    audio_input_tokens: record.audioInputTokens,
    audio_output_tokens: record.audioOutputTokens,
    searches: record.searches,
    cost: record.cost ?? null,
    person_id: record.personId ?? null,
    team_id: record.teamId ?? null,
    tag_set: tagSetOf(record),
    end_user: record.endUser ?? null,
    upstream_model: record.upstreamModel ?? null,
  }
}

/** Returns a digest of the tags of a record, in any order. */
export const tagSetOf = ({ tags }: Pick<UsageRecord, 'tags'>): string | null =>
  tags?.length
    ? createHash('sha256')
        .update(JSON.stringify([...new Set(tags)].sort()))
        .digest('base64url')
    : null

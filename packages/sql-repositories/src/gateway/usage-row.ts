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
  }
}

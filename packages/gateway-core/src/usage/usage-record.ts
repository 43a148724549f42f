import type { Tagged } from 'type-fest'
import type { ApiKeyId } from '../api-keys/api-key.ts'

/** A UUID unless the host makes ids of its own. A record that is written twice has the same one. */
export type UsageId = Tagged<string, 'UsageId'>

/** One request that was admitted, as it ended. */
export interface UsageRecord {
  readonly id: UsageId
  /** When it ended. */
  readonly at: Date
  /** Absent where the admin asked. */
  readonly keyId?: ApiKeyId
  readonly operation: 'chat' | 'image' | 'search'
  /** The model, or the search engine, as the client named it; U+FFFD for what is no text that every store takes. */
  readonly model: string
  /** Who answered, or failed last; absent where nobody was asked. */
  readonly provider?: string
  readonly streamed: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  /** The counts are the gateway's guess: the upstream told none. */
  readonly estimated: boolean
  /** The answer was cut: the client left, or the upstream broke off. */
  readonly partial: boolean
  /** What the client got; 499 where it left before. */
  readonly status: number
  /** Whole milliseconds from the request to the end of the answer. */
  readonly latencyMs: number
  /** From the request to the first event of a stream. */
  readonly firstTokenMs?: number
  /** How many pictures were made. */
  readonly images: number
}

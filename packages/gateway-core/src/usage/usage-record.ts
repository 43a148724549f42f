import type { Tagged } from 'type-fest'
import type { ApiKeyId } from '../api-keys/api-key.ts'

/** Unique among all records. A record that is written twice keeps its id. */
export type UsageId = Tagged<string, 'UsageId'>

/** One admitted request that has ended. */
export interface UsageRecord {
  readonly id: UsageId
  /** The end of the request. */
  readonly at: Date
  /** Absent for requests without a key. */
  readonly keyId?: ApiKeyId
  readonly operation: 'chat' | 'image' | 'search'
  /** The model or search engine that the client named, with U+FFFD for characters that some stores refuse. */
  readonly model: string
  /** The provider or search engine that answered, or that failed last. Absent where no upstream was called. */
  readonly provider?: string
  readonly streamed: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether the counts are estimates because the upstream reported none. */
  readonly estimated: boolean
  /** Whether the answer is incomplete because the client disconnected or the upstream failed. */
  readonly partial: boolean
  /** The status of the response, or 499 where the client disconnected before. */
  readonly status: number
  /** From the request to the end of the answer, in whole milliseconds. */
  readonly latencyMs: number
  /** From the request to the first event of a stream, in whole milliseconds. Absent for other answers. */
  readonly firstTokenMs?: number
  /** The number of generated images. */
  readonly images: number
}

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
  /** The user of the host that sent the request. Absent for others. */
  readonly userId?: string
  readonly operation:
    | 'chat'
    | 'image'
    | 'search'
    | 'embedding'
    | 'completion'
    | 'moderation'
    | 'audio'
    | 'rerank'
    | 'realtime'
    | 'file'
    | 'batch'
  /** The model or search engine that the client named, or `provider/files` and `provider/batches`, with U+FFFD for characters that some stores refuse. */
  readonly model: string
  /** The provider or search engine that answered, or that failed last. Absent where no upstream was called. */
  readonly provider?: string
  /** Whether the answer was relayed as it arrived, if the upstream sent it so. Always `true` for uploads to a model. */
  readonly streamed: boolean
  /**
   * As the upstream reports it, or estimated. 0 for searches, requests that failed before their answer, and images
   * without reported counts. Where the client ended the request before the answer while an upstream worked on it, by
   * disconnecting or by its own `timeout`, this is the estimate of its prompt.
   */
  readonly inputTokens: number
  /**
   * Like `inputTokens`. The estimate for a stream is the number of its events with a part of the answer, or where these
   * have more than 6 characters on average, a token for 4 characters.
   */
  readonly outputTokens: number
  /** Whether the counts are estimates because the upstream reported none. */
  readonly estimated: boolean
  /**
   * Whether an answer that an upstream worked on did not reach the client completely: the client ended the request, or
   * the upstream failed within a stream.
   */
  readonly partial: boolean
  /**
   * The status of the response, 499 where the client disconnected before its end, or the status of the error that ended
   * a stream.
   */
  readonly status: number
  /** From the admission to the end of the answer, in whole milliseconds. */
  readonly latencyMs: number
  /** From the admission to the first event of a stream, in whole milliseconds. Absent for other answers. */
  readonly firstTokenMs?: number
  /** The number of generated images. */
  readonly images: number
}

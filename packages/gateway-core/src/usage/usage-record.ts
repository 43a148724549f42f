import type { Tagged } from 'type-fest'
import type { RequestOwner } from '../accounts/request-owner.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { usageOperations } from './usage-bounds.ts'
import type { UsageDetail } from './usage-detail.ts'

/** Unique among all records. A record that is written twice keeps its id. */
export type UsageId = Tagged<string, 'UsageId'>

/** One admitted request that has ended. Details of tokens that were not reported are 0. */
export interface UsageRecord extends RequestOwner, Required<UsageDetail> {
  readonly id: UsageId
  /** The end of the request. */
  readonly at: Date
  /** Absent for requests without a key. */
  readonly keyId?: ApiKeyId
  /** The user of the host that sent the request. Absent for others. */
  readonly userId?: string
  readonly operation: (typeof usageOperations)[number]
  /** The model or search engine that the client named, or `provider/files` and `provider/batches`, with U+FFFD for characters that some stores refuse. */
  readonly model: string
  /** The provider or search engine that answered, or that failed last. Absent where no upstream was called. */
  readonly provider?: string
  /** The id at the upstream of the model that answered, or that failed last. Absent where no model was called. */
  readonly upstreamModel?: string
  /** The client's own id of its end user, at most 256 characters. Recorded only where `usage.endUsers` is `true`. */
  readonly endUser?: string
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
  /** What the upstream's list prices make of the counts. Absent where no price is known. */
  readonly cost?: Nanodollars
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
  /** `true` for the answer to an earlier request, which has used no tokens. No upstream was called. @default false */
  readonly cacheHit?: boolean
}

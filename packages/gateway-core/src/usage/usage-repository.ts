import type { AccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { UsageRecord } from './usage-record.ts'

/** Stores usage records. A method rejects when the store has failed. */
export interface UsageRepository {
  /**
   * Stores all records or none. A record whose id is stored already is ignored, so that a batch can be sent again after its
   * answer was lost.
   */
  append(records: readonly UsageRecord[]): Promise<void>
  /** Sums the records that `query` selects. Orders by account (absent first), model and day, in code units. */
  summarize(query: UsageQuery): Promise<readonly UsageSummary[]>
  /** Returns the time of the newest record before `before`, or `undefined` without one. */
  newestBefore(before: Date): Promise<Date | undefined>
  /** Removes the records before `before`, perhaps in several steps. @returns the number of records removed */
  removeBefore(before: Date): Promise<number>
}

/** What records are grouped by: `key` is the account, a key or a user of the host. A day begins at midnight UTC. */
export type UsageGrouping = 'key' | 'model' | 'day'

/** Selects the records to sum: those that ended from `from` on and before `to`. */
export interface UsageQuery {
  readonly from: Date
  readonly to: Date
  /** Selects the records of one key, or of one user of the host. @default all records */
  readonly account?: AccountId
  /** Without a grouping, all records give one summary. Without records, the list is empty. */
  readonly groupBy: readonly UsageGrouping[]
  /** The most summaries in the list. */
  readonly limit: number
}

/** Sums over one group of records. */
export interface UsageSummary {
  /** Set where grouped by key, for requests with a key. */
  readonly keyId?: ApiKeyId
  /** Set where grouped by key, for requests of a user of the host. */
  readonly userId?: string
  /** Set where grouped by model. */
  readonly model?: string
  /** Set where grouped by day: `YYYY-MM-DD` in UTC. */
  readonly day?: string
  /** The number of records. */
  readonly requests: number
  /** Requests whose status was 400 or more. */
  readonly failures: number
  /** Requests whose answer is incomplete. */
  readonly partial: number
  /** Includes estimates. */
  readonly inputTokens: number
  /** Includes estimates. */
  readonly outputTokens: number
  /** The number of generated images. */
  readonly images: number
}

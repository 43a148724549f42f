import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { UsageRecord } from './usage-record.ts'

/** Where usage is kept. Rejections mean that the store failed. */
export interface UsageRepository {
  /**
   * Keeps all or none of them. A record whose id is there already is left as it is, so a batch whose answer was lost
   * can be sent again.
   */
  append(records: readonly UsageRecord[]): Promise<void>
  /** Adds up what ended from `from` on and before `to`. Ordered by key (none first), model, day; by code unit. */
  summarize(query: UsageQuery): Promise<readonly UsageSummary[]>
  /** When the newest of the records ended that ended before that time; `undefined` without such a record. */
  newestBefore(before: Date): Promise<Date | undefined>
  /** Removes what ended before that moment. @returns how many records */
  removeBefore(before: Date): Promise<number>
}

/** What a summary is of. A day begins at midnight UTC. */
export type UsageGrouping = 'key' | 'model' | 'day'

/** Which records to sum: those that ended from `from` on and before `to`. */
export interface UsageQuery {
  readonly from: Date
  readonly to: Date
  /** Only this key's; absent: everyone's. */
  readonly keyId?: ApiKeyId
  /** Without any, one summary of all: the list is empty where nothing was used. */
  readonly groupBy: readonly UsageGrouping[]
  /** The most summaries. */
  readonly limit: number
}

/** Sums over one group of records. */
export interface UsageSummary {
  /** Set where grouped by key, and a key it was. */
  readonly keyId?: ApiKeyId
  /** Set where grouped by model. */
  readonly model?: string
  /** Set where grouped by day: `YYYY-MM-DD` in UTC. */
  readonly day?: string
  readonly requests: number
  /** Requests whose status was 400 or more. */
  readonly failures: number
  /** Requests whose answer was cut. */
  readonly partial: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly images: number
}

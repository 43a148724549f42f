import type { AccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { usageGroupings, usageOrders } from './usage-bounds.ts'
import type { UsageRecord } from './usage-record.ts'

/** Stores usage records. A method rejects when the store has failed. */
export interface UsageRepository {
  /**
   * Stores records. After a rejection some of them may be stored. A record whose id is stored already is ignored, so that a
   * batch can be sent again. Never blocks the event loop for long, however many there are.
   */
  append(records: readonly UsageRecord[]): Promise<void>
  /**
   * Sums the records that `query` selects. Orders by the groupings in the order of {@link UsageGrouping}, in code units,
   * absent values first, or with `top` by size. Never blocks the event loop for long: a store in this process works in
   * several turns, and records that are written meanwhile may be counted or not.
   *
   * @returns `too-large` where the store would keep more groups in memory, or read more single records, than it does
   */
  summarize(query: UsageQuery): Promise<readonly UsageSummary[] | 'too-large'>
  /** Returns the time of the newest record before `before`, or `undefined` without one. */
  newestBefore(before: Date): Promise<Date | undefined>
  /** Removes the records before `before`, perhaps in several steps. @returns the number of records removed */
  removeBefore(before: Date): Promise<number>
}

/**
 * What records are grouped by. `key` is the account, a key or a user of the host. `user` is a user of the host, or the
 * gateway's own user of a key. A record counts in each of its tags. Hours, days and months are those of UTC.
 */
export type UsageGrouping = (typeof usageGroupings)[number]

/** Selects records by what they have. Each is that of all records by default. */
export interface UsageFilter {
  /** One key, or one user of the host. */
  readonly account?: AccountId
  /** The gateway's own user of keys. */
  readonly personId?: string
  readonly teamId?: string
  readonly tag?: string
  readonly model?: string
  readonly provider?: string
  readonly upstreamModel?: string
  readonly status?: number
  readonly operation?: UsageRecord['operation']
  readonly endUser?: string
}

/** Selects the records to sum: those that ended from `from` on and before `to`. */
export interface UsageQuery extends UsageFilter {
  readonly from: Date
  readonly to: Date
  /** Without a grouping, all records give one summary. Without records, the list is empty. */
  readonly groupBy: readonly UsageGrouping[]
  /** The most summaries in the list, except with `top`. */
  readonly limit: number
  /** Selects the largest summaries, the largest first. One more has the sums of the others, where there are any. @default all */
  readonly top?: UsageTop
}

/** The largest summaries. Of equal ones, the first in the usual order count. */
export interface UsageTop {
  readonly count: number
  readonly order: (typeof usageOrders)[number]
}

/** What a summary is about. Absent are values that are not grouped by, and those that records lack. */
export interface UsageGroup {
  /** Set where grouped by key, for requests with a key. */
  readonly keyId?: ApiKeyId
  /** Set where grouped by key or user, for requests of a user of the host. */
  readonly userId?: string
  /** Set where grouped by user, for requests with a key. */
  readonly personId?: string
  readonly teamId?: string
  readonly tag?: string
  readonly model?: string
  readonly provider?: string
  readonly upstreamModel?: string
  readonly status?: number
  readonly operation?: UsageRecord['operation']
  readonly endUser?: string
  /** `YYYY-MM-DDTHH:00Z` */
  readonly hour?: string
  /** `YYYY-MM-DD` in UTC. */
  readonly day?: string
  /** `YYYY-MM` in UTC. */
  readonly month?: string
}

/** Sums over one group of records. */
export interface UsageSummary extends UsageGroup {
  /** `true` for the sums of all groups that are not among the largest. It is last, and has no group. */
  readonly isOther?: true
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
  /** Part of `inputTokens`. */
  readonly cachedTokens: number
  /** Part of `inputTokens`. */
  readonly cacheWriteTokens: number
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number
  /** Sound, of input and output. */
  readonly audioTokens: number
  /** The number of web searches. */
  readonly searches: number
  /** The number of generated images. */
  readonly images: number
  /** Nanodollars, exact. Requests without a known price count as 0. */
  readonly cost: bigint
}

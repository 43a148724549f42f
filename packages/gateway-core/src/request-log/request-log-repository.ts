import type { AccountId } from '../accounts/account-id.ts'
import type { UsageId } from '../usage/usage-record.ts'
import type { LoggedRequest } from './logged-request.ts'
import type { StatusClass } from './request-log-bounds.ts'

/** Stores the entries of the request log. A method rejects when the store has failed. */
export interface RequestLogRepository {
  /**
   * Stores entries. After a rejection some of them may be stored. An entry whose id is stored already is ignored, so that a
   * batch can be sent again. Never blocks the event loop for long, however many there are.
   */
  append(entries: readonly LoggedRequest[]): Promise<void>
  find(id: UsageId): Promise<LoggedRequest | undefined>
  /**
   * Returns entries, the newest first, of equal times the one with the largest id in code units first. A page may read a
   * bounded number of entries, so it may have fewer than `limit` although there are more.
   */
  list(query: RequestLogQuery): Promise<RequestLogPage>
  /** Removes the entries before `before`, perhaps in several steps. @returns the number of entries removed */
  removeBefore(before: Date): Promise<number>
}

/** Selects entries by what they have. Each is that of all entries by default. */
export interface RequestLogFilter {
  /** One key, or one user of the host. */
  readonly account?: AccountId
  /** The gateway's own user of keys. */
  readonly personId?: string
  readonly teamId?: string
  readonly tag?: string
  readonly model?: string
  readonly provider?: string
  readonly status?: number | StatusClass
  readonly operation?: LoggedRequest['operation']
  /** Matches entries whose prompt, answer or error has the text, in upper or lower case. Every character counts as itself. */
  readonly text?: string
}

/** Selects the entries that ended from `from` on and before `to`. */
export interface RequestLogQuery extends RequestLogFilter {
  readonly from: Date
  readonly to: Date
  /** Continues after this place. @default at the newest entry */
  readonly after?: LogPlace
  /** The most entries of the page, at least 1. */
  readonly limit: number
}

/** The place of an entry in the order of the log. The entry may have been removed. */
export interface LogPlace {
  readonly at: Date
  readonly id: UsageId
}

/** Entries of the log, and where the next page begins. */
export interface RequestLogPage {
  readonly entries: readonly LoggedRequest[]
  /** Where the next page begins. Absent where all entries were read. */
  readonly next?: LogPlace
}

/** Returns what a text is searched in, in lower case; `undefined` for an entry without texts. */
export function searchedTextOf({ prompt, answer, errorMessage }: LoggedRequest): string | undefined {
  const texts = [prompt?.text, answer?.text, errorMessage].filter((text) => text !== undefined)
  // Some stores refuse these.
  return texts.length === 0 ? undefined : searchable(texts.join('\n'))
}

/** Returns a text as it is compared. */
export const searchable = (text: string): string => text.toLowerCase().replace(/[\p{Cc}\p{Cs}]/gu, ' ')

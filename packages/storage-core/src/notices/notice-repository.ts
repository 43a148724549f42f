import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Notice } from './notice.ts'
import type { NoticeField, StoredNotice } from './stored-notice.ts'

/** The log of notices. A rejection means that the store failed. */
export interface NoticeRepository {
  /**
   * Adds a notice, with a delivery for each enabled webhook that receives it. Atomic, and in one order for all callers:
   * a notice has a larger number than every notice that could be read before.
   *
   * A delivery is due at `now`, or at the end of the webhook's hold-off. It then replaces the delivery of the same
   * `holdoffGroup` that is not due yet, and is due when that was.
   *
   * @returns `known`, with nothing changed, where the log has the id of the notice
   */
  publish(notice: Notice, now: Date): Promise<'published' | 'known'>
  list(request: PageRequest<NoticeField>): Promise<Page<StoredNotice>>
  count(query: Query<NoticeField>): Promise<number>
  /**
   * Removes the notices from before that time and those whose number is at least `maximum` below the last one, so that
   * no more than `maximum` are left. Their deliveries are removed with them. @returns the number of removed notices
   */
  trim(before: Date, maximum: number): Promise<number>
}

import type { Emit } from '../events/create-events.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { type FollowNotices, followNotices } from './follow-notices.ts'
import type { Notice } from './notice.ts'
import type { NoticeRepository } from './notice-repository.ts'
import type { NoticeWatch } from './notice-watch.ts'
import type { NoticeField, StoredNotice } from './stored-notice.ts'

/** The log keeps no more notices than these. */
export const MAXIMUM_NOTICES = 10_000

/** The log of what operators are notified of. */
export interface Notices {
  /**
   * Stores a notice, from which it is delivered to webhooks. Resolves when it is stored. Without effect where a notice
   * with the same id is stored.
   */
  publish(notice: Notice): Promise<void>
  list(request: PageRequest<NoticeField>): Promise<Page<StoredNotice>>
  count(query: Query<NoticeField>): Promise<number>
  /**
   * Gives stored notices and then those that any process publishes, in the order of their numbers, each once and without
   * gaps. Notices of other processes come within `lookSeconds`. It reads at most 100 notices ahead, so a slow reader does
   * not need memory, but misses what is removed in the meantime.
   *
   * It ends when the signal aborts, or the storage closes, and rejects when the store fails. Continue then after the last
   * number.
   */
  follow(request?: FollowNotices): AsyncGenerator<StoredNotice, void, void>
}

export interface NoticesOptions {
  readonly repository: NoticeRepository
  readonly now: () => Date
  readonly emit: Emit
  readonly watch: NoticeWatch
}

export function createNotices({ repository, now, emit, watch }: NoticesOptions): Notices {
  return {
    publish: async (notice) => {
      if ((await repository.publish(notice, now())) === 'published') emit('notice.published', notice)
    },
    list: (request) => repository.list(request),
    count: (query) => repository.count(query),
    follow: (request = {}) => followNotices({ repository, watch }, request),
  }
}

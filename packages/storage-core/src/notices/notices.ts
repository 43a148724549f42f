import type { Emit } from '../events/create-events.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Notice } from './notice.ts'
import type { NoticeRepository } from './notice-repository.ts'
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
}

export interface NoticesOptions {
  readonly repository: NoticeRepository
  readonly now: () => Date
  readonly emit: Emit
}

export function createNotices({ repository, now, emit }: NoticesOptions): Notices {
  return {
    publish: async (notice) => {
      if ((await repository.publish(notice, now())) === 'published') emit('notice.published', notice)
    },
    list: (request) => repository.list(request),
    count: (query) => repository.count(query),
  }
}

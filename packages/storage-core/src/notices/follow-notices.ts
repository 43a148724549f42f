import { type Clause, everything, type Query } from '../query/query.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { NoticeRepository } from './notice-repository.ts'
import { type NoticeWatch, newestNotice } from './notice-watch.ts'
import type { NoticeField, StoredNotice } from './stored-notice.ts'

/** The notices that are read at a time. */
const PAGE_NOTICES = 100

const neverAborted = new AbortController().signal

/** Which notices are followed, from where, and until when. */
export interface FollowNotices {
  /**
   * The number after which it begins, from 0 to 2^53 - 1. One that the log has not reached counts as that of its newest
   * notice. @default the newest notice at the time of the call
   */
  readonly after?: number
  /**
   * A function is called before each read, for a reader whose rights may change. The notices reject as it does.
   *
   * @default all notices
   */
  readonly query?: Query<NoticeField> | (() => Promise<Query<NoticeField>>)
  /** Ends the notices. @default they end when the storage closes */
  readonly signal?: AbortSignal
}

export interface FollowParts {
  readonly repository: NoticeRepository
  readonly watch: NoticeWatch
}

/** Gives stored notices, and then those that are published, in the order of their numbers. */
export function followNotices(parts: FollowParts, request: FollowNotices): AsyncGenerator<StoredNotice, void, void> {
  const start = startOf(parts.repository, request.after)
  // The first notice rejects with its error.
  start.catch(() => undefined)
  return noticesAfter(start, parts, request)
}

/** In memory the numbers begin again with the process, so that those of earlier ones are ahead of the log. */
async function startOf(repository: NoticeRepository, after = Number.POSITIVE_INFINITY): Promise<number> {
  const [newest] = (await repository.list(newestNotice)).records
  return Math.min(after, newest?.number ?? 0)
}

async function* noticesAfter(
  start: Promise<number>,
  { repository, watch }: FollowParts,
  { query = everything, signal = neverAborted }: FollowNotices,
): AsyncGenerator<StoredNotice, void, void> {
  const hasEnded = () => watch.isClosed || signal.aborted
  try {
    let position = await start
    while (!hasEnded()) {
      const { turn } = watch
      const { all } = typeof query === 'function' ? await query() : query
      const { records, next } = await repository.list({
        query: { all: [...all, numbersAfter(position)] },
        order: [{ field: 'number', descending: false }],
        limit: PAGE_NOTICES,
      })
      for (const stored of records) {
        if (hasEnded()) return
        yield stored
        position = stored.number
      }
      await (next ? nextTurn() : watch.wait(turn, signal))
    }
  } catch (error) {
    // A store that closes fails what is read from it.
    if (!hasEnded()) throw error
  }
}

const numbersAfter = (position: number): Clause<NoticeField> => ({
  any: [{ field: 'number', negated: false, term: { kind: 'compare', operator: '>', value: position } }],
})

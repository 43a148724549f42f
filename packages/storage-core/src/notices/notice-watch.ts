import type { PageRequest } from '../query/page.ts'
import { everything } from '../query/query.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { NoticeRepository } from './notice-repository.ts'
import type { NoticeField } from './stored-notice.ts'

/** Waits for new notices of all processes, on behalf of everyone who follows the log. */
export interface NoticeWatch {
  /** Grows when the log may have new notices. */
  readonly turn: number
  /** Whether the storage closes. No one waits from then on. */
  readonly isClosed: boolean
  /** Starts the next turn, after a publication of this process. */
  advance(): void
  /** Starts the next turn if another process has published. Reads nothing while no one waits. */
  look(): Promise<void>
  /** Resolves in a later turn than that one, when the signal aborts, or when the storage closes. */
  wait(turn: number, signal: AbortSignal): Promise<void>
}

export interface NoticeWatchOptions {
  readonly repository: NoticeRepository
  readonly closing: AbortSignal
}

/** The request for the newest notice. */
export const newestNotice: PageRequest<NoticeField> = {
  query: everything,
  order: [{ field: 'number', descending: true }],
  limit: 1,
}

interface Waiter {
  readonly turn: number
  readonly wake: () => void
}

export function createNoticeWatch({ repository, closing }: NoticeWatchOptions): NoticeWatch {
  const waiters = new Set<Waiter>()
  let turn = 0
  let isWaking = false
  /** The number of the newest notice at the last look. */
  let newest: number | undefined

  /** Returns a waiter of an earlier turn. These come first, as waiters are in the order of their arrival. */
  function late(): Waiter | undefined {
    for (const waiter of waiters) if (waiter.turn !== turn) return waiter
    return undefined
  }

  /** Each waiter has a turn of the event loop, as it then reads the log. */
  async function wakeLate(): Promise<void> {
    if (isWaking) return
    isWaking = true
    for (let waiter = late(); waiter; waiter = late()) {
      waiter.wake()
      await nextTurn()
    }
    isWaking = false
  }

  function advance(): void {
    turn += 1
    void wakeLate()
  }

  closing.addEventListener('abort', () => {
    for (const { wake } of [...waiters]) wake()
  })

  return {
    get turn() {
      return turn
    },
    get isClosed() {
      return closing.aborted
    },
    advance,
    look: async () => {
      if (waiters.size === 0) return
      const [last] = (await repository.list(newestNotice)).records
      if (last?.number !== newest) advance()
      newest = last?.number
    },
    wait: (seen, signal) =>
      new Promise((resolve) => {
        if (turn !== seen || closing.aborted || signal.aborted) return resolve()
        const wake = () => {
          waiters.delete(waiter)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const waiter: Waiter = { turn: seen, wake }
        waiters.add(waiter)
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
}

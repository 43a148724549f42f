import type { Promisable } from 'type-fest'
import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import { checkRange } from '../check-range.ts'
import type { ClockTrust } from '../clock-watch.ts'
import type { ImageStore } from '../images/image-store.ts'
import { releaseTimer } from '../release-timer.ts'
import type { RequestLogRepository } from '../request-log/request-log-repository.ts'
import type { ConversationRepository } from '../responses/conversation-repository.ts'
import type { ResponseRepository } from '../responses/response-repository.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'

/** How long the gateway keeps usage and ended keys. */
export interface RetentionOptions {
  /** How long usage records and their sums are kept, from 1 to 1,000,000. @default 400 */
  readonly usageDays?: number
  /** How long keys are kept after they were revoked or have expired, from 1 to 1,000,000. @default 400 */
  readonly endedKeyDays?: number
}

/** The kinds of records that the retention removes. `pictures` are expired images of the image store. */
export type RetainedKind =
  | 'usage'
  | 'ended-keys'
  | 'pictures'
  | 'responses'
  | 'conversations'
  | 'cached-answers'
  | 'requests'

export interface RetentionParts {
  readonly usage: Pick<UsageRepository, 'removeBefore'>
  readonly apiKeys: Pick<ApiKeyRepository, 'removeEnded'>
  readonly images: Pick<ImageStore, 'removeExpired'> | undefined
  readonly responses: Pick<ResponseRepository, 'removeExpired'> | undefined
  readonly conversations: Pick<ConversationRepository, 'removeExpired'> | undefined
  /** Removes expired answers of the cache, and those beyond its limit. */
  readonly answers: ((now: Date) => Promisable<number>) | undefined
  /** The request log, and how many days it keeps its entries. */
  readonly requestLog: Pick<RequestLogRepository, 'removeBefore'> & { readonly days: number }
  readonly now: () => Date
  readonly clock: () => Promise<ClockTrust>
  readonly onRemoved: (kind: RetainedKind, count: number) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Removes records whose retention has expired, 10 seconds after the start and then every hour. Until the clock is trusted,
 * it removes only images, responses and conversations that have expired since the start.
 */
export interface Retention {
  start(): void
  /** Resolves once a running removal has ended. */
  close(): Promise<void>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The delay of the first removal, so that it does not slow down the start. */
const FIRST_REMOVAL_MS = 10_000

/** The current time minus this many days is still a valid date. */
const MAX_DAYS = 1_000_000

/** @throws RangeError for a number of days that is out of range */
export function createRetention(
  { usageDays = 400, endedKeyDays = 400 }: RetentionOptions,
  {
    usage,
    apiKeys,
    images,
    responses,
    conversations,
    answers,
    requestLog,
    now,
    clock,
    onRemoved,
    onFault,
  }: RetentionParts,
): Retention {
  checkRange({ usageDays, endedKeyDays }, 1, MAX_DAYS)
  let timer: ReturnType<typeof setTimeout> | undefined
  let removing: Promise<void> | undefined
  let isClosed = false

  async function remove(): Promise<void> {
    const { isTrusted, since } = await clock()
    const before = (days: number) => new Date(now().getTime() - days * DAY_MS)
    const expired: readonly (readonly [RetainedKind, () => Promise<number>])[] = [
      ['pictures', async () => (await images?.removeExpired(now(), since)) ?? 0],
      ['responses', async () => (await responses?.removeExpired(now(), since)) ?? 0],
      ['conversations', async () => (await conversations?.removeExpired(now(), since)) ?? 0],
      // One that is removed too early is asked for again.
      ['cached-answers', async () => (await answers?.(now())) ?? 0],
    ]
    const removals: typeof expired = isTrusted
      ? [
          ['usage', () => usage.removeBefore(before(usageDays))],
          ['ended-keys', () => apiKeys.removeEnded(before(endedKeyDays))],
          ['requests', () => requestLog.removeBefore(before(requestLog.days))],
          ...expired,
        ]
      : expired
    for (const [kind, run] of removals) {
      try {
        const count = await run()
        if (count > 0) onRemoved(kind, count)
      } catch (error) {
        onFault(error)
      }
    }
  }

  function schedule(milliseconds: number): void {
    if (isClosed) return
    timer = setTimeout(() => {
      removing = remove()
        .catch(onFault)
        .finally(() => {
          removing = undefined
          schedule(HOUR_MS)
        })
    }, milliseconds)
    releaseTimer(timer)
  }

  return {
    start: () => schedule(FIRST_REMOVAL_MS),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await removing
    },
  }
}

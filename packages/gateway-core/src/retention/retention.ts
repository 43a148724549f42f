import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import { isObject } from '../chat/is-object.ts'
import { checkRange } from '../check-range.ts'
import type { ClockKnowledge } from '../clock-watch.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'

/** How long the gateway keeps what grows. */
export interface RetentionOptions {
  /** Days that usage records and their sums are kept, from 1 to 1,000,000. @default 400 */
  readonly usageDays?: number
  /** Days that keys are kept after they were revoked or have expired, from 1 to 1,000,000. @default 400 */
  readonly endedKeyDays?: number
}

/** What a retention removes. */
export type RetainedKind = 'usage' | 'ended-keys' | 'pictures'

export interface RetentionParts {
  readonly usage: Pick<UsageRepository, 'removeBefore'>
  readonly apiKeys: Pick<ApiKeyRepository, 'removeEnded'>
  readonly images: Pick<ImageStore, 'removeExpired'> | undefined
  readonly now: () => Date
  readonly clock: () => Promise<ClockKnowledge>
  readonly onRemoved: (kind: RetainedKind, count: number) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Removes what is older than it is kept for: soon after the start, and once an hour. Until the clock is trusted, only
 * pictures that have expired since it is watched.
 */
export interface Retention {
  start(): void
  /** Settles once a removal that is under way has ended. */
  close(): Promise<void>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The start has other things to do first. */
const FIRST_MS = 10_000

/** Where timers are Node's: none of these keeps a process alive. */
function release(timer: unknown): void {
  if (isObject(timer) && typeof timer.unref === 'function') timer.unref()
}

/** As many days before now are a date still. */
const MOST_DAYS = 1_000_000

/** @throws RangeError for days that are out of their range */
export function createRetention(
  { usageDays = 400, endedKeyDays = 400 }: RetentionOptions,
  { usage, apiKeys, images, now, clock, onRemoved, onFault }: RetentionParts,
): Retention {
  checkRange({ usageDays, endedKeyDays }, 1, MOST_DAYS)
  let timer: ReturnType<typeof setTimeout> | undefined
  let removing: Promise<void> | undefined
  let isClosed = false

  async function remove(): Promise<void> {
    const { isTrusted, since } = await clock()
    const before = (days: number) => new Date(now().getTime() - days * DAY_MS)
    const pictures = ['pictures', async () => (await images?.removeExpired(now(), since)) ?? 0] as const
    const removals: readonly (readonly [RetainedKind, () => Promise<number>])[] = isTrusted
      ? [
          ['usage', () => usage.removeBefore(before(usageDays))],
          ['ended-keys', () => apiKeys.removeEnded(before(endedKeyDays))],
          pictures,
        ]
      : [pictures]
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
    release(timer)
  }

  return {
    start: () => schedule(FIRST_MS),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await removing
    },
  }
}

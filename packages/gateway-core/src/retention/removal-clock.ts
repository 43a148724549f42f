import { type ClockTrust, watchClock } from '../clock-watch.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'

export interface RemovalClockParts {
  readonly usage: Pick<UsageRepository, 'newestBefore'>
  readonly now: () => Date
  /** Called once when removals begin to wait, with the newest usage that is at least a day old. */
  readonly onWaiting: (newestUsage: Date | undefined) => void
}

const DAY_MS = 86_400_000
const CONFIRMING_DAYS = 2

/**
 * Decides whether the clock can be trusted for removals. A wrong clock would delete recent keys and usage. Usage from one to
 * two days ago confirms the clock: a process has used it since yesterday. More recent usage does not, because a server that
 * started with a wrong clock may have written it. Without such usage, the clock must run evenly for 24 hours.
 *
 * Rejects where the store fails.
 */
export function createRemovalClock({ usage, now, onWaiting }: RemovalClockParts): () => Promise<ClockTrust> {
  const watch = watchClock(now)
  let isWaiting = false
  return async () => {
    const known = watch()
    if (!known.isTrusted) {
      const time = now().getTime()
      const newest = await usage.newestBefore(new Date(time - DAY_MS))
      const isConfirmed = newest !== undefined && time - newest.getTime() <= CONFIRMING_DAYS * DAY_MS
      if (!isConfirmed) {
        if (!isWaiting) onWaiting(newest)
        isWaiting = true
        return known
      }
    }
    isWaiting = false
    return { isTrusted: true, since: new Date(0) }
  }
}

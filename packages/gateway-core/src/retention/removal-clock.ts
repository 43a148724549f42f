import { type ClockKnowledge, watchClock } from '../clock-watch.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'

export interface RemovalClockParts {
  readonly usage: Pick<UsageRepository, 'newestBefore'>
  readonly now: () => Date
  /** Called once when removals begin to wait, with the newest usage that is at least a day old. */
  readonly onWaiting: (newestUsage: Date | undefined) => void
}

const DAY_MS = 86_400_000
const WITNESS_DAYS = 2

/**
 * Looks whether the clock is right enough to remove by it. A wrong one would delete keys and usage that are young. Usage
 * from one to two days ago is a witness: some process has run by this clock since yesterday. Younger usage is not one,
 * since a server that was started with a wrong clock may have written it. Without a witness the clock is watched.
 *
 * Rejects where the store fails.
 */
export function createRemovalClock({ usage, now, onWaiting }: RemovalClockParts): () => Promise<ClockKnowledge> {
  const watch = watchClock(now)
  let isWaiting = false
  return async () => {
    const known = watch()
    if (!known.isTrusted) {
      const time = now().getTime()
      const newest = await usage.newestBefore(new Date(time - DAY_MS))
      const isWitness = newest !== undefined && time - newest.getTime() <= WITNESS_DAYS * DAY_MS
      if (!isWitness) {
        if (!isWaiting) onWaiting(newest)
        isWaiting = true
        return known
      }
    }
    isWaiting = false
    return { isTrusted: true, since: new Date(0) }
  }
}

import type { AccountId } from '../accounts/account-id.ts'
import { RATE_WINDOW_MS, type RateLimiter, type RateState } from '../rate-limits/rate-limiter.ts'
import { AdmissionQueue } from './admission-queue.ts'

/** How often a busy key is moved to the end of the order, in milliseconds. */
const ORDER_MS = 1_000

/**
 * Rate limits, exact within one process. Stores at most `limit` times of a key, and none of a key that is idle for
 * about a minute.
 */
export function memoryRateLimiter(): RateLimiter {
  // Ordered by last admission, accurate to ORDER_MS, so that idle keys are at the front.
  const queues = new Map<AccountId, AdmissionQueue>()

  const moveToEnd = (accountId: AccountId, queue: AdmissionQueue, now: number) => {
    queue.movedAt = now
    queues.delete(accountId)
    queues.set(accountId, queue)
    deleteIdle(queues, now)
  }

  return {
    admit(accountId, limit, now) {
      const queue = queues.get(accountId) ?? new AdmissionQueue()
      const at = now.getTime()
      const shift = queue.shiftOf(at)
      const time = queue.timeOf(at)
      const counting = queue.countAt(time)
      if (counting >= limit) {
        if (shift > 0) queue.shift = shift
        return { admitted: false, ...stateOf(queue, limit, at) }
      }
      queue.expire(time)
      queue.shift = counting === 0 ? 0 : shift
      queue.add(counting === 0 ? at : time)
      if (Math.abs(at - queue.movedAt) >= ORDER_MS) moveToEnd(accountId, queue, at)
      return { admitted: true, ...stateOf(queue, limit, at) }
    },

    async inspect(accountId, limit, now) {
      const queue = queues.get(accountId)
      if (!queue) return { limit, remaining: limit, resetAt: now }
      return stateOf(queue, limit, now.getTime())
    },
  }
}

function stateOf(queue: AdmissionQueue, limit: number, now: number): RateState {
  const counting = Math.min(queue.countAt(queue.timeOf(now)), limit)
  return {
    limit,
    remaining: limit - counting,
    resetAt: new Date(counting === 0 ? now : queue.fromLast(counting) + RATE_WINDOW_MS - queue.shiftOf(now)),
  }
}

/** Deletes queues at the front that were not moved for longer than the window. A busy queue is moved more often. */
function deleteIdle(queues: Map<AccountId, AdmissionQueue>, now: number): void {
  for (const [accountId, queue] of queues) {
    const age = now - queue.movedAt
    if (age >= RATE_WINDOW_MS + ORDER_MS) queues.delete(accountId)
    else if (age < -RATE_WINDOW_MS) {
      // The clock was wrong then, or is now. Treat the queue as new.
      queue.movedAt = now
      queues.delete(accountId)
      queues.set(accountId, queue)
    } else return
  }
}

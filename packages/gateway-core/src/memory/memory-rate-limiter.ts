import { AdmissionQueue } from '../rate-limits/admission-queue.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { RecentAccounts } from '../rate-limits/recent-accounts.ts'

/**
 * Rate limits, exact within one process. Stores at most `limit` times of an account, and none of one that is idle for
 * about a minute.
 */
export function memoryRateLimiter(): RateLimiter {
  const queues = new RecentAccounts<AdmissionQueue>()
  return {
    admit(accountId, limit, now) {
      const queue = queues.get(accountId) ?? new AdmissionQueue()
      const at = now.getTime()
      const decision = queue.admit(limit, at)
      queue.trim()
      if (decision.admitted) queues.use(accountId, queue, at)
      return decision
    },

    async inspect(accountId, limit, now) {
      return (queues.get(accountId) ?? new AdmissionQueue()).state(limit, now.getTime())
    },
  }
}

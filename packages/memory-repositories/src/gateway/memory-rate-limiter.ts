import type { ApiKeyId } from '@trivium/gateway-core'
import { RATE_WINDOW_MS, type RateLimiter, type RateState } from '@trivium/gateway-core/ports'
import { AdmissionQueue } from './admission-queue.ts'

/** How exactly the keys are kept in order: a busy key takes its new place once in this time. */
const ORDER_MS = 1_000

/** Exact within one process. Keeps at most `limit` times of a key, and nothing of keys that are idle for a minute. */
export function memoryRateLimiter(): RateLimiter {
  // In the order of their last admissions, nearly, so that idle keys are at the front.
  const queues = new Map<ApiKeyId, AdmissionQueue>()

  const place = (keyId: ApiKeyId, queue: AdmissionQueue, time: number) => {
    queue.placedAt = time
    queues.delete(keyId)
    queues.set(keyId, queue)
    forgetIdle(queues, time)
  }

  return {
    admit(keyId, limit, now) {
      const queue = queues.get(keyId) ?? new AdmissionQueue()
      const time = queue.expire(now.getTime())
      const admitted = queue.size < limit
      if (admitted) {
        queue.add(time)
        if (time - queue.placedAt >= ORDER_MS) place(keyId, queue, time)
      }
      return { admitted, ...stateOf(queue, limit, time) }
    },

    async inspect(keyId, limit, now) {
      const queue = queues.get(keyId)
      if (!queue) return { limit, remaining: limit, resetAt: now }
      return stateOf(queue, limit, queue.expire(now.getTime()))
    },
  }
}

function stateOf(queue: AdmissionQueue, limit: number, time: number): RateState {
  const counting = Math.min(queue.size, limit)
  return {
    limit,
    remaining: limit - counting,
    resetAt: new Date(counting === 0 ? time : queue.fromLast(counting) + RATE_WINDOW_MS),
  }
}

function forgetIdle(queues: Map<ApiKeyId, AdmissionQueue>, time: number): void {
  for (const [keyId, queue] of queues) {
    if (time - queue.last < RATE_WINDOW_MS) return
    queues.delete(keyId)
  }
}

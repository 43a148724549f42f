import { type AccountId, CLOCK_SKEW_MS, RATE_WINDOW_MS, type RateLimiter } from '@trivium/gateway-core/ports'
import { admit, inspect } from './admission-scripts.ts'
import type { RedisHandle } from './open-redis.ts'

/** Where the limiter stores its windows. */
export interface RedisRateLimiterOptions {
  /** Prefix of its keys in Redis. @default 'trivium:rate:' */
  readonly prefix?: string
}

/**
 * Rate limits, exact across all processes that use the Redis. The requests of one turn of the event loop take one round trip
 * together, and the Redis must not be a cluster. Redis deletes the
 * state of a key after 2 minutes without an admission. A Redis that restarts without its data admits the full limit
 * again.
 */
export function redisRateLimiter(
  { client }: RedisHandle,
  { prefix = 'trivium:rate:' }: RedisRateLimiterOptions = {},
): RateLimiter {
  const keyOf = (accountId: AccountId) => `${prefix}${accountId}`

  const decide = admit(client)

  return {
    admit: async (accountId, limit, now) => {
      const values = [limit, now.getTime(), RATE_WINDOW_MS, CLOCK_SKEW_MS]
      const answer = await decide({ keys: [keyOf(accountId)], values })
      const [admitted, remaining, resetAt] = answer as [number, number, number] // what the script returns
      return { admitted: admitted === 1, limit, remaining, resetAt: new Date(resetAt) }
    },

    inspect: async (accountId, limit, now) => {
      const answer = await inspect(client, keyOf(accountId), [limit, now.getTime(), RATE_WINDOW_MS, CLOCK_SKEW_MS])
      const [remaining, resetAt] = answer as [number, number] // what the script returns
      return { limit, remaining, resetAt: new Date(resetAt) }
    },
  }
}

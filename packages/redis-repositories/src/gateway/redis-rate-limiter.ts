import {
  type AccountId,
  CLOCK_SKEW_MS,
  callGroups,
  RATE_WINDOW_MS,
  type RateDecision,
  type RateLimiter,
} from '@trivium/gateway-core/ports'
import { admit, inspect } from './admission-scripts.ts'
import type { RedisHandle } from './open-redis.ts'

/** Where the limiter stores its windows. */
export interface RedisRateLimiterOptions {
  /** Prefix of its keys in Redis. @default 'trivium:rate:' */
  readonly prefix?: string
}

/** The most requests that are decided without other commands of the Redis in between. */
const CALLS_PER_GROUP = 100

interface RateCall {
  readonly key: string
  readonly limit: number
  readonly now: Date
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

  const decide = callGroups<RateCall, RateDecision>({
    mostCalls: CALLS_PER_GROUP,
    mostGroups: Number.POSITIVE_INFINITY,
    schedule: setImmediate,
    run: async (calls) => {
      const answer = await admit(
        client,
        calls.map(({ key }) => key),
        [RATE_WINDOW_MS, CLOCK_SKEW_MS, ...calls.flatMap(({ limit, now }) => [limit, now.getTime()])],
      )
      const numbers = answer as readonly number[] // what the script returns
      return calls.map(({ limit }, index) => {
        const [admitted, remaining = 0, resetAt = 0] = numbers.slice(3 * index)
        return { admitted: admitted === 1, limit, remaining, resetAt: new Date(resetAt) }
      })
    },
  })

  return {
    admit: (accountId, limit, now) => decide({ key: keyOf(accountId), limit, now }),

    inspect: async (accountId, limit, now) => {
      const answer = await inspect(client, keyOf(accountId), [RATE_WINDOW_MS, CLOCK_SKEW_MS, limit, now.getTime()])
      const [remaining, resetAt] = answer as [number, number] // what the script returns
      return { limit, remaining, resetAt: new Date(resetAt) }
    },
  }
}

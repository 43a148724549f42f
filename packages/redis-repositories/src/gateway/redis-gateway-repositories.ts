import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import type { RedisHandle } from './open-redis.ts'
import { redisAnswerCache } from './redis-answer-cache.ts'
import { redisKeyInvalidations } from './redis-key-invalidations.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

/**
 * Creates the repositories that replicas use with every request. Spread them over the repositories of a database:
 * `{ ...sqlGatewayRepositories(database), ...redisGatewayRepositories(redis) }`.
 *
 * @example
 * ```ts
 * import { openRedis, redisGatewayRepositories } from '@trivium/redis-repositories/gateway'
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
 *
 * const redis = await openRedis('redis://127.0.0.1:6379')
 * const database = await openDatabase('postgres://127.0.0.1/gateway')
 * const repositories = { ...sqlGatewayRepositories(database), ...redisGatewayRepositories(redis) }
 * ```
 */
export const redisGatewayRepositories = (
  redis: RedisHandle,
): Pick<GatewayRepositories, 'rateLimiter' | 'keyInvalidations' | 'answerCache'> => ({
  rateLimiter: redisRateLimiter(redis),
  keyInvalidations: redisKeyInvalidations(redis),
  answerCache: redisAnswerCache(redis),
})

import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import type { RedisHandle } from './open-redis.ts'
import { redisKeyInvalidations } from './redis-key-invalidations.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

/**
 * Creates the repositories that replicas use with every request. Spread them over the repositories of a database:
 * `{ ...sqlGatewayRepositories(database), ...redisGatewayRepositories(redis) }`.
 */
export const redisGatewayRepositories = (
  redis: RedisHandle,
): Pick<GatewayRepositories, 'rateLimiter' | 'keyInvalidations'> => ({
  rateLimiter: redisRateLimiter(redis),
  keyInvalidations: redisKeyInvalidations(redis),
})

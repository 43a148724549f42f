import {
  answerCacheConformance,
  budgetRepositoryConformance,
  keyInvalidationsConformance,
  rateLimiterConformance,
} from '@trivium/gateway-core/conformance'
import { afterAll, describe } from 'vitest'
import { freshPrefix, redisAnswers, redisUrl } from '../../tests/test-redis.ts'
import { type OwnedRedisHandle, openRedis } from './open-redis.ts'
import { redisAnswerCache } from './redis-answer-cache.ts'
import { redisBudgets } from './redis-budgets.ts'
import { redisKeyInvalidations } from './redis-key-invalidations.ts'
import { redisRateLimiter } from './redis-rate-limiter.ts'

describe.runIf(redisAnswers)('Redis', () => {
  const handles: OwnedRedisHandle[] = []
  const open = async (replicas: number): Promise<readonly OwnedRedisHandle[]> => {
    while (handles.length < replicas) handles.push(await openRedis(redisUrl))
    return handles.slice(0, replicas)
  }
  afterAll(() => Promise.all(handles.map((redis) => redis.close())))

  rateLimiterConformance(async (replicas) => {
    const prefix = freshPrefix()
    return (await open(replicas)).map((redis) => redisRateLimiter(redis, { prefix }))
  })

  budgetRepositoryConformance(async (replicas) => {
    const prefix = freshPrefix()
    return (await open(replicas)).map((redis) => redisBudgets(redis, { prefix }))
  })

  answerCacheConformance(
    async (replicas) => {
      const prefix = freshPrefix()
      return (await open(replicas)).map((redis) => redisAnswerCache(redis, { prefix }))
    },
    { isRemoving: false },
  )

  keyInvalidationsConformance(async (replicas) => {
    const channel = freshPrefix()
    return (await open(replicas)).map((redis) => redisKeyInvalidations(redis, { channel }))
  })
})

import type { ApiKeyId } from '@trivium/gateway-core'
import { openRedis } from '../src/gateway/open-redis.ts'
import { redisRateLimiter } from '../src/gateway/redis-rate-limiter.ts'

/** Simultaneous admissions that one of several processes tries. */
export interface AdmissionRound {
  readonly limit: number
  readonly now: number
  readonly requests: number
}

const [url = '', prefix = ''] = process.argv.slice(2)
const redis = await openRedis(url)
const limiter = redisRateLimiter(redis, { prefix })

process.on('message', async ({ limit, now, requests }: AdmissionRound) => {
  const decisions = await Promise.all(
    Array.from({ length: requests }, () => limiter.admit('key' as ApiKeyId, limit, new Date(now))), // ids are opaque
  )
  process.send?.(decisions.filter(({ admitted }) => admitted).length)
})
process.on('disconnect', () => redis.close())
process.send?.('ready')

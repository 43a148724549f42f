import { randomUUID } from 'node:crypto'
import { openRedis } from '../src/gateway/open-redis.ts'

export const redisUrl = process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379'

/** Whether the Redis of the tests answers. With `TRIVIUM_REQUIRE_SERVICES=1`, throws where it does not. */
export const redisAnswers = await answers()

/** Returns a prefix that separates tests on a shared Redis. */
export const freshPrefix = () => `trivium-test:${randomUUID()}:`

async function answers(): Promise<boolean> {
  const redis = await openRedis(redisUrl)
  try {
    await redis.client.ping()
    return true
  } catch (cause) {
    const problem = `Redis does not answer at ${new URL(redisUrl).host}`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(problem, { cause })
    console.warn(`Skipped: ${problem}`)
    return false
  } finally {
    await redis.close()
  }
}

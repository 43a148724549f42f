import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Runs in Redis as one step. */
export type RedisScript = (client: Redis, key: string, values: readonly number[]) => Promise<unknown>

/**
 * A script of one key that is sent as a whole once, and by its digest from then on. A Redis that restarted has
 * forgotten it, and is sent it again.
 */
export function redisScript(text: string): RedisScript {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (client, key, values) => {
    try {
      return await client.evalsha(digest, 1, key, ...values)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(text, 1, key, ...values)
    }
  }
}

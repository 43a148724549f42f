import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Runs a script in Redis atomically. */
export type RedisScript = (client: Redis, key: string, values: readonly number[]) => Promise<unknown>

/**
 * Creates a script of one key. It is called by its digest, and sent as a whole only where Redis does not have it, as
 * after a restart.
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

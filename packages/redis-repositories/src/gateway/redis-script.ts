import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Runs a script in Redis atomically. */
export type RedisScript = (
  client: Redis,
  keys: string | readonly string[],
  values: readonly (number | string)[],
) => Promise<unknown>

/**
 * Creates a script. It is called by its digest, and sent as a whole only where Redis does not have it, as
 * after a restart.
 */
export function redisScript(text: string): RedisScript {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (client, keyOrKeys, values) => {
    const keys = typeof keyOrKeys === 'string' ? [keyOrKeys] : keyOrKeys
    try {
      return await client.evalsha(digest, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.eval(text, keys.length, ...keys, ...values)
    }
  }
}

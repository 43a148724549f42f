import { createHash } from 'node:crypto'
import { callGroups } from '@trivium/gateway-core/ports'
import type { Redis } from 'ioredis'

/** Runs a script in Redis atomically. */
export interface RedisScript {
  (client: Redis, keys: string | readonly string[], values: readonly (number | string)[]): Promise<unknown>
  readonly text: string
  readonly digest: string
}

/** A call of a script. */
export interface ScriptCall {
  readonly script: RedisScript
  readonly keys: readonly string[]
  readonly values: readonly (number | string)[]
}

/** The most scripts of one round trip. */
const CALLS_PER_GROUP = 100

/**
 * Creates a script. It is called by its digest, and sent as a whole only where Redis does not have it, as
 * after a restart.
 */
export function redisScript(text: string): RedisScript {
  const digest = createHash('sha1').update(text).digest('hex')
  const run = async (client: Redis, keyOrKeys: string | readonly string[], values: readonly (number | string)[]) => {
    const keys = typeof keyOrKeys === 'string' ? [keyOrKeys] : keyOrKeys
    try {
      return await client.evalsha(digest, keys.length, ...keys, ...values)
    } catch (error) {
      if (!isAbsent(error)) throw error
      return client.eval(text, keys.length, ...keys, ...values)
    }
  }
  return Object.assign(run, { text, digest })
}

/** Returns a function that runs scripts. Those that are called in one turn of the event loop take one round trip together. */
export const scriptCalls = (client: Redis): ((call: ScriptCall) => Promise<unknown>) =>
  callGroups<ScriptCall, unknown>({
    mostCalls: CALLS_PER_GROUP,
    mostGroups: Number.POSITIVE_INFINITY,
    schedule: setImmediate,
    run: async (calls) => {
      const pipeline = client.pipeline()
      for (const { script, keys, values } of calls) pipeline.evalsha(script.digest, keys.length, ...keys, ...values)
      const answers = (await pipeline.exec()) ?? []
      return calls.map(({ script, keys, values }, index) => {
        const [error, answer] = answers[index] ?? [new Error('Redis has not answered.')]
        if (error === null) return answer
        return isAbsent(error) ? script(client, keys, values) : Promise.reject(error)
      })
    },
  })

/** Redis has lost the script. */
const isAbsent = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

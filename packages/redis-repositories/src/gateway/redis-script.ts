import { createHash } from 'node:crypto'
import { callGroups } from '@trivium/gateway-core/ports'
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

/** The most calls of one round trip. */
const CALLS_PER_GROUP = 100

/** A call of a script. */
export interface ScriptCall {
  readonly keys: readonly string[]
  readonly values: readonly (number | string)[]
}

/**
 * Creates a script whose calls of one turn of the event loop run one after the other in one round trip, without other
 * commands in between. Where one of them fails, it is unknown what the others have changed.
 *
 * @returns a function that makes the caller for one Redis, which must not be a cluster
 */
export function groupedScript(text: string): (client: Redis) => (call: ScriptCall) => Promise<unknown> {
  const script = redisScript(groupOf(text))
  return (client) =>
    callGroups<ScriptCall, unknown>({
      mostCalls: CALLS_PER_GROUP,
      mostGroups: Number.POSITIVE_INFINITY,
      schedule: setImmediate,
      run: async (calls) => {
        const sizes = calls.flatMap(({ keys, values }) => [keys.length, values.length])
        const answers = await script(
          client,
          calls.flatMap(({ keys }) => keys),
          [calls.length, ...sizes, ...calls.flatMap(({ values }) => values)],
        )
        return answers as readonly unknown[] // what the script returns
      },
    })
}

/** `ARGV` begins with the number of calls, and the number of keys and values of each. */
const groupOf = (text: string): string => `
local function run(KEYS, ARGV)
${text}
end
local answers, key, value = {}, 0, 1 + 2 * ARGV[1]
for call = 1, ARGV[1] do
  local keys, values = {}, {}
  for index = 1, ARGV[2 * call] do
    key = key + 1
    keys[index] = KEYS[key]
  end
  for index = 1, ARGV[2 * call + 1] do
    value = value + 1
    values[index] = ARGV[value]
  end
  answers[call] = run(keys, values)
end
return answers
`

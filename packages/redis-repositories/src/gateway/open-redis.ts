import { Redis, type RedisOptions } from 'ioredis'

/**
 * A Redis from which repositories are created. A host may pass its own client as `{ client }`. Only the client's
 * `socketTimeout` drops a connection that broke silently.
 */
export interface RedisHandle {
  readonly client: Redis
}

/** A Redis that {@link openRedis} opened. The caller closes it. */
export interface OwnedRedisHandle extends RedisHandle {
  /** Closes the connection after the answers of pending commands, or immediately where Redis does not answer. */
  close(): Promise<void>
}

/** The address of a Redis and its time limits, in milliseconds. */
export interface OpenRedisOptions {
  /** `redis://…`, or `rediss://…` for TLS. */
  readonly url: string
  /**
   * How long a command may take before it fails. Also the time after which a connection that owes an answer and has
   * received nothing is dropped and opened again. @default 1000
   */
  readonly commandTimeoutMs?: number
  /** How long one attempt to connect may take before the next one. @default 1000 */
  readonly connectTimeoutMs?: number
  /** More options of `ioredis`. @default none */
  readonly redis?: Omit<RedisOptions, 'replyMapping'>
}

const LONGEST_RETRY_MS = 250

/** How long a closing connection waits for the server, in case it does not answer. */
const DISCONNECT_TIMEOUT_MS = 100

/**
 * Opens a client that fails fast. While Redis is unavailable, every command is rejected immediately: none waits for a
 * new connection, and none is sent twice. The client reconnects by itself without a limit of attempts, within 2 seconds
 * after Redis can be reached. Resolves when Redis has answered or `connectTimeoutMs` has passed, so an unavailable Redis
 * is not an error here.
 *
 * @example
 * ```ts
 * import { openRedis, redisRateLimiter } from '@trivium/redis-repositories/gateway'
 *
 * const redis = await openRedis('redis://127.0.0.1:6379')
 * const rateLimiter = redisRateLimiter(redis)
 * ```
 */
export async function openRedis(address: string | OpenRedisOptions): Promise<OwnedRedisHandle> {
  const {
    url,
    commandTimeoutMs = 1000,
    connectTimeoutMs = 1000,
    redis = {},
  } = typeof address === 'string' ? { url: address } : address
  const client = new Redis(url, {
    connectionName: 'trivium',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(25 * 2 ** Math.min(attempt, 10), LONGEST_RETRY_MS),
    keepAlive: 10_000,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    ...redis,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
  })
  // Commands reject with the error. Without a listener, ioredis writes to the console.
  client.on('error', () => {})
  await ready(client, connectTimeoutMs)
  return { client, close: () => close(client) }
}

function ready(client: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      client.off('ready', done)
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    client.on('ready', done)
  })
}

async function close(client: Redis): Promise<void> {
  try {
    await client.quit()
  } catch {
    client.disconnect()
  }
}

import { Redis, type RedisOptions } from 'ioredis'

/**
 * A Redis that repositories are made from. A host may hand in a client of its own as `{ client }`: its `socketTimeout`
 * is what drops a connection that died silently, and without one nothing does.
 */
export interface RedisHandle {
  readonly client: Redis
}

/** A Redis that {@link openRedis} opened, and that its caller closes. */
export interface OwnedRedisHandle extends RedisHandle {
  /** Lets the connections go, at once where Redis does not answer. */
  close(): Promise<void>
}

/** Which Redis is used, and how patiently. Times are in milliseconds. */
export interface OpenRedisOptions {
  /** `redis://…`, or `rediss://…` for TLS. */
  readonly url: string
  /**
   * How long a command may take before it counts as failed. A connection on which nothing was heard for so long while an
   * answer is due is dropped and made again. @default 1000
   */
  readonly commandTimeoutMs?: number
  /** How long to wait for a connection, before the next one is tried. @default 1000 */
  readonly connectTimeoutMs?: number
  /** More options of ioredis. */
  readonly redis?: Omit<RedisOptions, 'replyMapping'>
}

const LONGEST_RETRY_MS = 250

/** For a connection that is closed in order: the other side may be dead. */
const GOODBYE_MS = 100

/**
 * Opens a client that fails fast: while Redis is unavailable every command is rejected immediately, none waits for a new
 * connection or is sent twice. It connects again by itself, without an end, and within 2 seconds after Redis can be
 * reached: a connection whose answer is overdue is dropped. Settles when Redis answered, or the time to connect has
 * passed: an absent Redis is not an error of opening.
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
    disconnectTimeout: GOODBYE_MS,
    ...redis,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
  })
  // Whoever sends a command is told what is wrong; without a listener ioredis writes to the console.
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

import type { Redis } from 'ioredis'

export interface SubscriberOptions {
  readonly client: Redis
  readonly channel: string
  readonly heartbeatMs: number
  /**
   * Called with each message. Called with `undefined` when messages may have been missed, and every `heartbeatMs` while
   * none can be received.
   */
  readonly onMessage: (message: string | undefined) => void
}

export interface Subscriber {
  /** Resolves when messages are received, or when the first attempt has failed. */
  readonly ready: Promise<void>
  close(): void
}

const COMMAND_TIMEOUT_MS = 1000

/**
 * Subscribes to one channel on its own connection. Pings Redis every `heartbeatMs` and reconnects where it does not
 * answer.
 */
export function createSubscriber({ client, channel, heartbeatMs, onMessage }: SubscriberOptions): Subscriber {
  const { promise: ready, resolve: settle } = Promise.withResolvers<void>()
  const connection = client.duplicate({
    // A broken connection is detected by missing answers. The client reconnects by itself.
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    lazyConnect: false,
  })
  let isSubscribed = false
  let closed = false

  const markLost = () => {
    isSubscribed = false
    onMessage(undefined)
  }

  connection.on('error', () => settle())
  connection.on('message', (_channel, message) => onMessage(message))
  connection.on('close', markLost)
  connection.on('ready', () => {
    connection.subscribe(channel).then(
      () => {
        isSubscribed = true
        onMessage(undefined)
        settle()
      },
      () => {
        settle()
        connection.disconnect(true)
      },
    )
  })

  const checkConnection = async () => {
    if (!isSubscribed) onMessage(undefined)
    else {
      try {
        await connection.ping()
      } catch {
        markLost()
        connection.disconnect(true)
      }
    }
    if (!closed) heartbeat = setTimeout(checkConnection, heartbeatMs).unref()
  }
  let heartbeat = setTimeout(checkConnection, heartbeatMs).unref()

  return {
    ready,
    close: () => {
      closed = true
      clearTimeout(heartbeat)
      connection.off('close', markLost)
      connection.disconnect()
      settle()
    },
  }
}

import type { Redis } from 'ioredis'

export interface SubscriberOptions {
  readonly client: Redis
  readonly channel: string
  readonly heartbeatMs: number
  /** Called with `undefined` when messages may have been missed, and again and again while none can be heard. */
  readonly onMessage: (message: string | undefined) => void
}

export interface Subscriber {
  /** Settles when messages are heard, or it is clear that it may take a while. */
  readonly ready: Promise<void>
  close(): void
}

const COMMAND_TIMEOUT_MS = 1000

/** Listens to one channel on a connection of its own, and makes sure that it is still heard. */
export function createSubscriber({ client, channel, heartbeatMs, onMessage }: SubscriberOptions): Subscriber {
  const { promise: ready, resolve: settle } = Promise.withResolvers<void>()
  const connection = client.duplicate({
    // The connection is told apart from a dead one by its answers, and is made again by itself.
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    lazyConnect: false,
  })
  let hearing = false
  let closed = false

  const lose = () => {
    hearing = false
    onMessage(undefined)
  }

  connection.on('error', () => settle())
  connection.on('message', (_channel, message) => onMessage(message))
  connection.on('close', lose)
  connection.on('ready', () => {
    connection.subscribe(channel).then(
      () => {
        hearing = true
        onMessage(undefined)
        settle()
      },
      () => {
        settle()
        connection.disconnect(true)
      },
    )
  })

  const listen = async () => {
    if (!hearing) onMessage(undefined)
    else {
      try {
        await connection.ping()
      } catch {
        lose()
        connection.disconnect(true)
      }
    }
    if (!closed) heartbeat = setTimeout(listen, heartbeatMs).unref()
  }
  let heartbeat = setTimeout(listen, heartbeatMs).unref()

  return {
    ready,
    close: () => {
      closed = true
      clearTimeout(heartbeat)
      connection.off('close', lose)
      connection.disconnect()
      settle()
    },
  }
}

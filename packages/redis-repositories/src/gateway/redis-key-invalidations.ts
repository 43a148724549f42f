import type { ApiKeyId } from '@trivium/gateway-core'
import type { KeyInvalidations } from '@trivium/gateway-core/ports'
import { createSubscriber, type Subscriber } from './channel-subscriber.ts'
import type { RedisHandle } from './open-redis.ts'

/** The channel, and how a broken connection is detected. */
export interface RedisKeyInvalidationsOptions {
  /** The channel of all replicas. @default 'trivium:keys' */
  readonly channel?: string
  /**
   * Milliseconds between two checks of a subscriber's connection. While Redis does not answer, also the interval at
   * which listeners receive `undefined`: any key may have changed. @default 500
   */
  readonly heartbeatMs?: number
}

/** Publishes changes of keys to a channel. All subscribers of one process share a second connection. */
export function redisKeyInvalidations(
  { client }: RedisHandle,
  { channel = 'trivium:keys', heartbeatMs = 500 }: RedisKeyInvalidationsOptions = {},
): KeyInvalidations {
  const subscriptions = new Set<{ readonly listener: (id: ApiKeyId | undefined) => void }>()
  let subscriber: Subscriber | undefined

  const notify = (id: ApiKeyId | undefined) => {
    for (const { listener } of subscriptions) {
      try {
        listener(id)
      } catch {
        // The error of one listener must not keep the others from being notified.
      }
    }
  }

  const openSubscriber = (): Subscriber => {
    subscriber ??= createSubscriber({
      client,
      channel,
      heartbeatMs,
      // Ids are received as they were published.
      onMessage: (message) => notify(message as ApiKeyId | undefined),
    })
    return subscriber
  }

  return {
    publish: async (id) => {
      await client.publish(channel, id)
    },

    subscribe: async (listener) => {
      const subscription = { listener }
      let current: Subscriber
      do {
        current = openSubscriber()
        await current.ready
        // When the last other subscription ends meanwhile, its connection is closed.
      } while (current !== subscriber)
      subscriptions.add(subscription)
      return async () => {
        if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
        current.close()
        subscriber = undefined
      }
    },
  }
}

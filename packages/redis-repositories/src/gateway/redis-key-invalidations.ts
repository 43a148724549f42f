import type { ApiKeyId } from '@trivium/gateway-core'
import type { KeyInvalidations } from '@trivium/gateway-core/ports'
import { createSubscriber, type Subscriber } from './channel-subscriber.ts'
import type { RedisHandle } from './open-redis.ts'

/** Which channel is used, and how a dead connection is noticed. */
export interface RedisKeyInvalidationsOptions {
  /** The channel that replicas publish on; one for all of them. @default 'trivium:keys' */
  readonly channel?: string
  /**
   * How often a subscriber asks whether Redis still hears it; while it does not, how often it takes every key for
   * changed. @default 500
   */
  readonly heartbeatMs?: number
}

/** Publishes to a channel. Subscribers of one process share a connection of their own. */
export function redisKeyInvalidations(
  { client }: RedisHandle,
  { channel = 'trivium:keys', heartbeatMs = 500 }: RedisKeyInvalidationsOptions = {},
): KeyInvalidations {
  const subscriptions = new Set<{ readonly listener: (id: ApiKeyId | undefined) => void }>()
  let subscriber: Subscriber | undefined

  const tell = (id: ApiKeyId | undefined) => {
    for (const { listener } of subscriptions) {
      try {
        listener(id)
      } catch {
        // A listener's fault is not the publisher's: the others must still hear.
      }
    }
  }

  const listening = (): Subscriber => {
    subscriber ??= createSubscriber({
      client,
      channel,
      heartbeatMs,
      // Ids come back as they went in.
      onMessage: (message) => tell(message as ApiKeyId | undefined),
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
        current = listening()
        await current.ready
        // Where the last other subscription ended meanwhile, its connection did too.
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

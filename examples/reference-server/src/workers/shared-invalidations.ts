import type { ApiKeyId } from '@trivium/gateway-core'
import type { GatewayRepositories } from '@trivium/gateway-core/ports'

type Listener = (id: ApiKeyId | undefined) => void

/** Changed keys, which the workers of one server report to each other in addition to other replicas. */
export interface SharedInvalidations {
  /** Removes a key from the caches of this process. */
  forget(id: ApiKeyId): void
  /** Returns the repositories with a notice that resolves once no worker uses the key from its cache. */
  share(repositories: GatewayRepositories): GatewayRepositories
}

/** @param publish resolves once the other workers have removed the key */
export function sharedInvalidations(publish: (id: ApiKeyId) => Promise<void>): SharedInvalidations {
  const listeners = new Set<Listener>()
  return {
    forget: (id) => {
      for (const listener of listeners) listener(id)
    },
    share: (repositories) => ({
      ...repositories,
      keyInvalidations: {
        async publish(id) {
          // The others may be replicas, on other machines.
          await Promise.all([publish(id), repositories.keyInvalidations?.publish(id)])
        },
        async subscribe(listener) {
          listeners.add(listener)
          const unsubscribe = await repositories.keyInvalidations?.subscribe(listener)
          return async () => {
            listeners.delete(listener)
            await unsubscribe?.()
          }
        },
      },
    }),
  }
}

import type { ApiKeyId } from '@trivium/gateway-core'
import type { KeyInvalidations } from '@trivium/gateway-core/ports'

/** Reaches the gateways of this process that share it. */
export function memoryKeyInvalidations(): KeyInvalidations {
  const listeners = new Set<{ readonly call: (id: ApiKeyId | undefined) => void }>()

  return {
    async publish(id) {
      for (const { call } of listeners) {
        try {
          call(id)
        } catch {
          // A listener's fault is not the publisher's: the others must still hear.
        }
      }
    },

    async subscribe(call) {
      const listener = { call }
      listeners.add(listener)
      return async () => {
        listeners.delete(listener)
      }
    },
  }
}

import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { KeyInvalidations } from '../api-keys/key-invalidations.ts'

/** Notifies the gateways in this process that share the returned object. */
export function memoryKeyInvalidations(): KeyInvalidations {
  const listeners = new Set<{ readonly call: (id: ApiKeyId | undefined) => void }>()

  return {
    async publish(id) {
      for (const { call } of listeners) {
        try {
          call(id)
        } catch {
          // The error of one listener must not keep the others from being notified.
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

import { LRUCache } from 'lru-cache'
import type { ApiKey, ApiKeyId } from './api-key.ts'

export interface ApiKeyCacheOptions {
  /** @default 10_000 */
  readonly maxKeys?: number
  /** How long a key is believed to be as it was. 0 asks the store every time. @default 5 */
  readonly cacheSeconds?: number
}

/**
 * The keys that were used of late, by their secrets, so that a request needs neither a hash nor the store. Secrets are
 * in memory for as long as they are believed, and nowhere else.
 */
export interface ApiKeyCache {
  get(secret: string): ApiKey | undefined
  /** Remembers what `load` finds, unless the key was changed while it looked. */
  load(secret: string, load: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined>
  /** @param id `undefined`: any key may have changed */
  forget(id: ApiKeyId | undefined): void
}

export function createApiKeyCache({ maxKeys = 10_000, cacheSeconds = 5 }: ApiKeyCacheOptions): ApiKeyCache {
  const secrets = new Map<ApiKeyId, string>()
  const keys = new LRUCache<string, ApiKey>({
    max: maxKeys,
    ttl: Math.max(1, cacheSeconds * 1000),
    perf: { now: () => performance.now() },
    ttlResolution: 0,
    dispose: (key, secret) => {
      if (secrets.get(key.id) === secret) secrets.delete(key.id)
    },
  })
  let changes = 0

  return {
    get: (secret) => keys.get(secret),

    async load(secret, load) {
      const before = changes
      const key = await load()
      if (key && cacheSeconds > 0 && changes === before) {
        // In this order: where several loaded the key at once, the entry that goes takes its secret along.
        keys.set(secret, key)
        secrets.set(key.id, secret)
      }
      return key
    },

    forget(id) {
      changes += 1
      const secret = id === undefined ? undefined : secrets.get(id)
      if (id === undefined) keys.clear()
      else if (secret !== undefined) keys.delete(secret)
    },
  }
}

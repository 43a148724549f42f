import { LRUCache } from 'lru-cache'
import { checkRange, MAX_SECONDS } from '../check-range.ts'
import type { ApiKey, ApiKeyId } from './api-key.ts'

export interface ApiKeyCacheOptions {
  /**
   * The most keys that are cached, from 1 to 1,000,000, and fewer where their rules and labels are long: about 64 MiB in
   * all. `cacheSeconds: 0` disables the cache. @default 10_000
   */
  readonly maxKeys?: number
  /** How long a cached key is used without asking the store. From 0, which disables the cache, to 1,000,000,000. @default 5 */
  readonly cacheSeconds?: number
}

/**
 * Caches the keys that were used recently by their secrets, so that a request needs neither a hash nor the store. A secret
 * is kept in memory only, for at most `cacheSeconds`.
 */
export interface ApiKeyCache {
  get(secret: string): ApiKey | undefined
  /** Caches the key that `load` finds, unless any key was changed meanwhile. */
  load(secret: string, load: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined>
  /** @param id `undefined`: any key may have changed */
  forget(id: ApiKeyId | undefined): void
}

/** The cache reserves space for that many keys. */
const MAX_KEYS = 1_000_000
const MAX_BYTES = 64 * 2 ** 20

/** Returns about how many bytes a key takes, with its compiled rules: texts take up to two bytes a character, and are also compiled. */
const sizeOf = (key: ApiKey): number => 2_048 + 6 * JSON.stringify(variableParts(key)).length

/** What of a key, its team and its user has no fixed size. */
const variableParts = ({ name, policy, tags, metadata, groups = [] }: ApiKey) => [
  name,
  policy,
  tags,
  metadata,
  groups.map((group) => [group.name, group.policy, group.tags, group.metadata, group.owners]),
]

/** @throws RangeError for a number that is out of its range */
export function createApiKeyCache({ maxKeys = 10_000, cacheSeconds = 5 }: ApiKeyCacheOptions): ApiKeyCache {
  checkRange({ 'apiKeys.maxKeys': maxKeys }, 1, MAX_KEYS)
  checkRange({ 'apiKeys.cacheSeconds': cacheSeconds }, 0, MAX_SECONDS)
  const secrets = new Map<ApiKeyId, string>()
  const keys = new LRUCache<string, ApiKey>({
    max: maxKeys,
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
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
        // `secrets` last: where loads of the key overlap, `dispose` of the replaced entry deletes its secret.
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

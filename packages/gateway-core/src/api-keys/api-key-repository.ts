import type { ApiKey, ApiKeyHash, ApiKeyId, TokenBudget } from './api-key.ts'

/**
 * Stores API keys. A method rejects when the store has failed. An absent key is `undefined`. A write that has settled
 * survives a crash where the store is durable. Each method is one atomic step, except that `removeEnded` is atomic only
 * for each key: after a rejection, it may have taken effect for some keys. Keys are passed as copies.
 */
export interface ApiKeyRepository {
  /** `name-taken`: the user has a key of that name that is not revoked. Then nothing is stored. */
  add(key: ApiKey): Promise<'added' | 'name-taken'>
  /** Finds expired and revoked keys too. */
  find(id: ApiKeyId): Promise<ApiKey | undefined>
  /** Runs for each request whose key is not cached. Finds expired and revoked keys too. */
  findByHash(hash: ApiKeyHash): Promise<ApiKey | undefined>
  /** Orders keys by `createdAt`, then by `id` in code units. An unknown `after` gives an empty list. */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>
  /** A `name` of `undefined` removes the name. A revoked key can take any name. @returns `undefined` for an absent key */
  rename(id: ApiKeyId, name: string | undefined): Promise<ApiKey | 'name-taken' | undefined>
  /** Keeps the limits that are absent. `budget` replaces the whole budget. @returns `undefined` for an absent key */
  changeLimits(id: ApiKeyId, limits: ApiKeyLimits): Promise<ApiKey | undefined>
  /** Once this settles, the old secret is not found. @returns `undefined` for an absent or revoked key */
  replaceSecret(id: ApiKeyId, secret: Pick<ApiKey, 'hash' | 'hint'>): Promise<ApiKey | undefined>
  /** Frees the key's name. A second call keeps the first `revokedAt`. @returns `undefined` for an absent key */
  revoke(id: ApiKeyId, at: Date): Promise<ApiKey | undefined>
  /** Removes the keys that were revoked or expired before that time, with their limits. @returns the number of keys removed */
  removeEnded(before: Date): Promise<number>
  /**
   * Writes a value over the one of the last call, so that calls take no space. Rejects where keys can be read but not
   * written, as on a full disk. Serves health checks, which call it at most about once a second.
   */
  proveWritable(): Promise<void>
  /** Adds the counts. `lastUsedAt` never decreases. Absent keys are ignored. A rejection adds nothing: callers repeat it. */
  recordUses(uses: readonly ApiKeyUse[]): Promise<void>
}

/** Selects one page of the keys of a user, or of all users. */
export interface ApiKeyQuery {
  /** Selects the keys of the user with exactly this name, in case and accents too. @default all users */
  readonly username?: string
  /** The last key of the previous page. @default the first page */
  readonly after?: ApiKeyId
  /** The most keys in the page. Of a service from 1 to 1,001. */
  readonly limit: number
}

/** Limits to change. An absent limit is kept. */
export interface ApiKeyLimits {
  /** Requests in 60 seconds. */
  readonly rateLimit?: number
  /** Replaces the whole budget. */
  readonly budget?: TokenBudget
}

/** Admitted requests of a key since the last batch. */
export interface ApiKeyUse {
  readonly id: ApiKeyId
  /** The requests to add, at least 1. */
  readonly count: number
  readonly lastUsedAt: Date
}

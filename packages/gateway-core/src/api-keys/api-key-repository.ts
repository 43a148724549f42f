import type { ApiKey, ApiKeyHash, ApiKeyId, TokenBudget } from './api-key.ts'

/**
 * Where API keys are kept. Rejections mean that the store failed; an absent key is `undefined`. What has settled
 * survives a crash, where the store is durable. Every method is one atomic step; keys are handed over as copies.
 */
export interface ApiKeyRepository {
  /** `name-taken`: the user has a key of that name that is not revoked; nothing was kept then. */
  add(key: ApiKey): Promise<'added' | 'name-taken'>
  find(id: ApiKeyId): Promise<ApiKey | undefined>
  /** On the path of every request that the key cache does not know. Expired and revoked keys are found too. */
  findByHash(hash: ApiKeyHash): Promise<ApiKey | undefined>
  /** In the order of `createdAt`, then `id`, by code unit. `after` which is not there gives an empty list. */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>
  /** `undefined` as the name takes the name away. Revoked keys can be renamed freely. */
  rename(id: ApiKeyId, name: string | undefined): Promise<ApiKey | 'name-taken' | undefined>
  /** A property that is absent stays; `budget` replaces the whole budget. */
  changeLimits(id: ApiKeyId, limits: ApiKeyLimits): Promise<ApiKey | undefined>
  /** The old secret is worthless once it settles. @returns `undefined` also for a revoked key */
  replaceSecret(id: ApiKeyId, secret: Pick<ApiKey, 'hash' | 'hint'>): Promise<ApiKey | undefined>
  /** A key that is revoked keeps its first `revokedAt`. Its name is free again. */
  revoke(id: ApiKeyId, at: Date): Promise<ApiKey | undefined>
  /** Removes the keys that were revoked or expired before that time, with their limits. @returns how many */
  removeEnded(before: Date): Promise<number>
  /**
   * Writes something that replaces what the last call wrote, so that it takes no space. Rejects where keys can be read but
   * not written, as on a full disk. For health checks, at most about once a second.
   */
  proveWritable(): Promise<void>
  /** Adds up; `lastUsedAt` never goes back. Keys that are not there are ignored. */
  recordUses(uses: readonly ApiKeyUse[]): Promise<void>
}

/** Which keys to list: of one user, or of everyone. */
export interface ApiKeyQuery {
  readonly username?: string
  /** The last key of the page before. */
  readonly after?: ApiKeyId
  /** The most keys of the page. */
  readonly limit: number
}

/** Limits to change; what is absent stays as it is. */
export interface ApiKeyLimits {
  /** Requests in 60 seconds. */
  readonly rateLimit?: number
  /** Replaces the whole budget. */
  readonly budget?: TokenBudget
}

/** Admitted requests of a key since the last batch. */
export interface ApiKeyUse {
  readonly id: ApiKeyId
  readonly count: number
  readonly lastUsedAt: Date
}

import type { Tagged } from 'type-fest'

/**
 * A UUID as the gateway makes it; any text of the host's `newId` otherwise. It never changes and is never given again.
 */
export type ApiKeyId = Tagged<string, 'ApiKeyId'>

/** Lower-case hexadecimal SHA-256 of the whole secret. Secrets have 256 random bits, so no salt is needed. */
export type ApiKeyHash = Tagged<string, 'ApiKeyHash'>

/** A client's credential, without the secret, which is shown once and kept nowhere. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly hash: ApiKeyHash
  /** The secret's first characters, by which people tell keys apart. */
  readonly hint: string
  /** Follows from the username: the same for all keys of a user. */
  readonly userId: string
  readonly username: string
  /** Unique among the user's keys that are not revoked. */
  readonly name?: string
  /** Admitted requests in any 60 seconds. */
  readonly rateLimit: number
  readonly budget: TokenBudget
  readonly createdAt: Date
  /** From this moment on it is refused. */
  readonly expiresAt?: Date
  readonly revokedAt?: Date
  /** Admitted requests so far; written in batches, so some seconds late. */
  readonly usageCount: number
  readonly lastUsedAt?: Date
}

/** Tokens in and out that a key may cost; absent is unlimited. */
export interface TokenBudget {
  /** In a minute of the clock. */
  readonly tokensPerMinute?: number
  /** In a day, which begins at midnight UTC. */
  readonly tokensPerDay?: number
}

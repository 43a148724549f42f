import type { Tagged } from 'type-fest'
import type { Budget } from '../accounts/limits.ts'
import type { Group, GroupId } from '../groups/group.ts'
import type { Labels, Policy } from '../policies/policy.ts'

/**
 * A UUID, or what the host's `newId` returns. It never changes and is never used again.
 */
export type ApiKeyId = Tagged<string, 'ApiKeyId'>

/** Lower-case hexadecimal SHA-256 of the whole secret. Secrets have 256 random bits, so no salt is needed. */
export type ApiKeyHash = Tagged<string, 'ApiKeyHash'>

/** A client's credential without its secret. The secret is shown once and never stored. */
export interface ApiKey extends Labels {
  readonly id: ApiKeyId
  readonly hash: ApiKeyHash
  /** The prefix and the first 4 random characters of the secret, by which people distinguish keys. */
  readonly hint: string
  /** A UUID that is derived from the username, so it is the same for all keys of a user and on all replicas. */
  readonly userId: string
  readonly username: string
  /** Unique among the user's keys that are not revoked. */
  readonly name?: string
  /** The most admitted requests in any 60 seconds, at least 1. */
  readonly rateLimit: number
  readonly budget: Budget
  readonly policy: Policy
  /** The team whose policy and limits apply too. @default none */
  readonly teamId?: GroupId
  /** The team and the user of the key as they were when it was authenticated. Absent where it was only found. Not stored. */
  readonly groups?: readonly Group[]
  readonly createdAt: Date
  /** The key is refused from this time on. */
  readonly expiresAt?: Date
  /** The time of the revocation, which is permanent. Absent for a key that is not revoked. */
  readonly revokedAt?: Date
  /** Admitted requests so far. Written in batches, some seconds late. */
  readonly usageCount: number
  /** The last admitted request, written with `usageCount`. Absent for a key that was never used. */
  readonly lastUsedAt?: Date
}

import { type BudgetChanges, changedBudget } from '../accounts/limits.ts'
import { type Changes, withChanges } from '../changes.ts'
import type { GroupId } from '../groups/group.ts'
import type { Policy } from '../policies/policy.ts'
import type { ApiKey, ApiKeyHash, ApiKeyId } from './api-key.ts'

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
  /** Returns the names of keys, expired and revoked ones included, in any order. Absent keys are left out. */
  namesOf(ids: readonly ApiKeyId[]): Promise<readonly ApiKeyNames[]>
  /** Returns the usernames of users who have a key, expired and revoked ones included, in any order and each once. */
  usernamesOf(userIds: readonly string[]): Promise<readonly Pick<ApiKey, 'userId' | 'username'>[]>
  /** Counts the keys of an owner. Those count as usable that are neither revoked nor expired at that time. */
  count(owner: ApiKeyOwner, at: Date): Promise<ApiKeyCounts>
  /** Stores {@link changedApiKey}. A revoked key can take any name. @returns `undefined` for an absent key */
  change(id: ApiKeyId, changes: ApiKeyChanges): Promise<ApiKey | 'name-taken' | undefined>
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

/** How people distinguish a key. */
export type ApiKeyNames = Pick<ApiKey, 'id' | 'name' | 'username'>

/** Selects one page of the keys of a user, of a team, or of all. */
export interface ApiKeyQuery {
  /** Selects the keys of the user with exactly this name, in case and accents too. @default all users */
  readonly username?: string
  /** Selects the keys of the team. @default all teams, and keys without one */
  readonly teamId?: GroupId
  /** The last key of the previous page. @default the first page */
  readonly after?: ApiKeyId
  /** The most keys in the page. Of a service from 1 to 1,001. */
  readonly limit: number
}

/** Selects the keys of a user, of a team, or of a user in a team. */
export type ApiKeyOwner = Pick<ApiKeyQuery, 'username' | 'teamId'>

/** The number of keys of an owner. */
export interface ApiKeyCounts {
  readonly usable: number
  /** Expired and revoked keys included, until they are removed. */
  readonly all: number
}

/** Changes of a key. Absent members are kept, and `null` removes one. */
export interface ApiKeyChanges
  extends Changes<Pick<ApiKey, 'name' | 'rateLimit' | 'expiresAt' | 'teamId' | 'tags' | 'metadata'>> {
  readonly budget?: BudgetChanges | undefined
  readonly policy?: Changes<Policy> | undefined
}

/** Returns a key with changes. */
export function changedApiKey(key: ApiKey, { budget, policy, ...others }: ApiKeyChanges): ApiKey {
  return {
    ...withChanges(key, others),
    budget: changedBudget(key.budget, budget),
    policy: withChanges(key.policy, policy ?? {}),
  }
}

/** Admitted requests of a key since the last batch. */
export interface ApiKeyUse {
  readonly id: ApiKeyId
  /** The requests to add, at least 1. */
  readonly count: number
  readonly lastUsedAt: Date
}

import type { ApiKeyId } from './api-key.ts'

/**
 * Notifies all replicas of changed keys, so that no replica admits a revoked key from its cache.
 * Without it, a replica uses an old key for at most `cacheSeconds`.
 */
export interface KeyInvalidations {
  /** Resolves when the message is sent. The sender receives it too. If this rejects, the message is lost. */
  publish(id: ApiKeyId): Promise<void>
  /**
   * Once this resolves, calls `listener` for each published key. After a lost connection, messages may be missing: then
   * `listener` is called with `undefined`, and every key counts as changed.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: (id: ApiKeyId | undefined) => void): Promise<() => Promise<void>>
}

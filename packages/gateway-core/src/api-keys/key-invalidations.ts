import type { ApiKeyId } from './api-key.ts'

/**
 * Tells every replica that a key has changed, so that none admits from its cache what was revoked elsewhere.
 * Without it, a replica's cache is wrong for its time to live at most.
 */
export interface KeyInvalidations {
  /** Settles when the message is on its way; the sender hears it too. A rejection loses it. */
  publish(id: ApiKeyId): Promise<void>
  /**
   * Calls `listener` for every key that is published from when it settles on, and with `undefined` after messages may
   * have been missed (a lost connection): then every key counts as changed.
   *
   * @returns ends the subscription
   */
  subscribe(listener: (id: ApiKeyId | undefined) => void): Promise<() => Promise<void>>
}

import type { Promisable } from 'type-fest'

/**
 * Stores whole answers for a short time. A method rejects or throws when the store has failed. `save` is atomic, and
 * replaces an answer with the same key. The methods that remove are atomic only for each batch.
 */
export interface AnswerCache {
  /** @param key a SHA-256 digest in hexadecimal @returns `undefined` for an absent answer, and where `expiresAt` is not after `now` */
  find(key: string, now: Date): Promisable<StoredAnswer | undefined>
  /**
   * Stores an answer. A store in memory keeps to the limits by removing the answers that were used longest ago. Others may
   * exceed `maxEntries` until `removeExpired`.
   */
  save(key: string, answer: StoredAnswer, limits: AnswerCacheLimits): Promisable<void>
  /** Removes all answers that were stored before the call. @returns the number of answers removed */
  clear(): Promisable<number>
  /**
   * Removes the answers that have expired by `now`, and of the others those that expire first beyond `maxEntries`. Stores
   * that do both themselves remove nothing here.
   *
   * @returns the number of answers removed
   */
  removeExpired(now: Date, maxEntries: number): Promisable<number>
}

/** An answer as it is stored. */
export interface StoredAnswer {
  /** Without U+0000. At most about 4 MiB in UTF-8. */
  readonly text: string
  readonly storedAt: Date
  /** It is not found from this time on. */
  readonly expiresAt: Date
}

/** The most that a cache stores. */
export interface AnswerCacheLimits {
  /** At least 1. */
  readonly maxEntries: number
  /** Of all answers together, for stores in memory. Each character counts as 2. */
  readonly maxBytes: number
}

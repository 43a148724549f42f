import { checkRange } from '../check-range.ts'

/** Which answers the gateway stores to answer equal requests, and for how long. */
export interface AnswerCacheOptions {
  /** How long an answer is used, from 1 to 2,592,000. @default 300 */
  readonly ttlSeconds?: number
  /** The most answers, from 1 to 1,000,000. A database may exceed it for a minute, and Redis does not count. @default 10,000 */
  readonly maxEntries?: number
  /** The most bytes of all answers in the memory of this process, at least 1. @default 64 MiB */
  readonly maxBytes?: number
  /** The most bytes of one answer, from 1 to 4 MiB. Larger ones are not stored. @default 1 MiB */
  readonly maxAnswerBytes?: number
  /**
   * Whose requests an answer is for: those of the same key or user of the host, those of the keys of a team, or all. A key
   * without a team shares nothing.
   *
   * @default 'key'
   */
  readonly scope?: CacheScope
}

/** Whose requests an answer is for. */
export type CacheScope = 'key' | 'team' | 'all'

const scopes: readonly unknown[] = ['key', 'team', 'all'] satisfies readonly CacheScope[]

/** The most answers in a cache where the option sets none. */
export const DEFAULT_ENTRIES = 10_000

const MOST_SECONDS = 2_592_000
const MOST_ANSWER_BYTES = 2 ** 22

/**
 * Adds the defaults.
 *
 * @throws RangeError for a number that is out of range
 * @throws TypeError for another scope
 */
export function answerCacheOptions(options: AnswerCacheOptions): Required<AnswerCacheOptions> {
  const {
    ttlSeconds = 300,
    maxEntries = DEFAULT_ENTRIES,
    maxBytes = 2 ** 26,
    maxAnswerBytes = 2 ** 20,
    scope = 'key',
  } = options
  checkRange({ 'answerCache.ttlSeconds': ttlSeconds }, 1, MOST_SECONDS)
  checkRange({ 'answerCache.maxEntries': maxEntries }, 1, 1_000_000)
  checkRange({ 'answerCache.maxBytes': maxBytes }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'answerCache.maxAnswerBytes': maxAnswerBytes }, 1, MOST_ANSWER_BYTES)
  if (!scopes.includes(scope)) throw new TypeError("'answerCache.scope' must be 'key', 'team' or 'all'.")
  return { ttlSeconds, maxEntries: Math.floor(maxEntries), maxBytes, maxAnswerBytes, scope }
}

import type { AnsweringLayer } from '../dialects/answering/answering.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { RequestAccounts } from '../usage/request-accounts.ts'
import type { AnswerCache } from './answer-cache.ts'
import { type AnswerCacheOptions, answerCacheOptions, DEFAULT_ENTRIES } from './answer-cache-options.ts'
import type { AnswerLookupParts } from './answer-lookup.ts'
import { cachedAnswering } from './cached-answering.ts'
import { CachedAnswers } from './cached-answers.ts'
import { cachedEmbeddings } from './cached-embeddings.ts'

/** The answers that the gateway has stored. */
export interface CachedAnswersControl {
  /**
   * Removes all answers, also those that are stored where the option `answerCache` is absent now. Replicas with a cache in
   * memory keep theirs. Rejects where the store fails.
   *
   * @returns the number of answers removed
   */
  clear(): Promise<number>
}

export interface AnswerCachingParts {
  readonly cache: AnswerCache
  readonly now: () => Date
  readonly onFault: (error: unknown) => void
}

/** What a gateway does with the answer cache. */
export interface AnswerCaching {
  readonly control: CachedAnswersControl
  /** For the retention, which cleans up after a cache that was switched off, too. */
  readonly removeExpired: (now: Date) => Promise<number>
  /** Returns how services use the cache. `undefined` where it is off. */
  uses(parts: CacheUseParts): CacheUses | undefined
  /** Resolves once all answers are stored. */
  close(): Promise<void>
}

export interface CacheUseParts {
  readonly calls: Pick<ModelCalls, 'admit'>
  readonly accounts: RequestAccounts
  readonly forwardHeaders: readonly string[]
  readonly showCost: boolean
}

export interface CacheUses {
  readonly answering: AnsweringLayer
  readonly embeddings: (service: EndpointCalls) => EndpointCalls
}

/**
 * @param given `undefined` where the cache is off
 * @throws RangeError for a number that is out of range
 * @throws TypeError for another scope
 */
export function createAnswerCaching(given: AnswerCacheOptions | undefined, parts: AnswerCachingParts): AnswerCaching {
  const { cache } = parts
  const options = given && answerCacheOptions(given)
  const answers = options && new CachedAnswers({ ...parts, options })
  const maxEntries = options?.maxEntries ?? DEFAULT_ENTRIES
  return {
    control: { clear: async () => cache.clear() },
    removeExpired: async (now) => cache.removeExpired(now, maxEntries),
    uses(useParts) {
      if (!options || !answers) return undefined
      const { scope, maxAnswerBytes } = options
      const lookupParts: AnswerLookupParts = { ...useParts, answers, scope, maxAnswerBytes }
      return {
        answering: (front, service) => cachedAnswering(front, service, lookupParts),
        embeddings: (service) => cachedEmbeddings(service, lookupParts),
      }
    },
    close: async () => answers?.close(),
  }
}

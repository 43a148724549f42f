import type { Promisable } from 'type-fest'
import { CLOCK_SKEW_MS } from '../rate-limits/rate-limiter.ts'
import { releaseTimer } from '../release-timer.ts'
import type { AnswerCache, StoredAnswer } from './answer-cache.ts'
import type { AnswerCacheOptions } from './answer-cache-options.ts'
import { type CachedAnswer, fromText, toText } from './cached-answer.ts'

export interface CachedAnswersParts {
  readonly cache: AnswerCache
  readonly options: Required<AnswerCacheOptions>
  readonly now: () => Date
  readonly onFault: (error: unknown) => void
}

export interface FoundAnswer {
  readonly answer: CachedAnswer
  /** In whole seconds. */
  readonly ageSeconds: number
}

/** How long a request waits for the store. */
const LONGEST_READ_MS = 250
/** How long a store that has failed is not read. */
const PAUSE_MS = 1_000
/** One fault in this time is reported. */
const REPORT_MS = 10_000
/** The most answers that wait to be stored. Each may be large. */
const MOST_SAVES = 64
/** How often what has expired and is beyond the limit is removed while answers are stored. */
const REMOVAL_MS = 60_000

const encoder = new TextEncoder()

/** Reads and stores answers for requests. A store that fails or is slow is one without the answer. */
export class CachedAnswers {
  readonly #parts: CachedAnswersParts
  readonly #saves = new Set<Promise<void>>()
  #readsFrom = 0
  #reportsFrom = 0
  #removesFrom = performance.now() + REMOVAL_MS

  constructor(parts: CachedAnswersParts) {
    this.#parts = parts
  }

  /** @param maxAgeSeconds older answers are not returned @default any age. Never rejects. */
  async find(key: string, maxAgeSeconds = Number.POSITIVE_INFINITY): Promise<FoundAnswer | undefined> {
    const now = this.#parts.now()
    const stored = await this.#read(key, now)
    if (!stored) return undefined
    const ageMs = now.getTime() - stored.storedAt.getTime()
    // A clock that was wrong, or a longer time to live, must not make an answer last.
    const isUsed = ageMs >= -CLOCK_SKEW_MS && ageMs <= Math.min(maxAgeSeconds, this.#parts.options.ttlSeconds) * 1_000
    const answer = isUsed ? fromText(stored.text) : undefined
    return answer && { answer, ageSeconds: Math.max(0, Math.floor(ageMs / 1_000)) }
  }

  /** Stores an answer in the background, unless it is too large or too many wait. */
  save(key: string, answer: CachedAnswer): void {
    const { options, now } = this.#parts
    const { json } = answer
    if (json.length > options.maxAnswerBytes || this.#saves.size >= MOST_SAVES) return
    if (encoder.encode(json).length > options.maxAnswerBytes) return
    const storedAt = now()
    const expiresAt = new Date(storedAt.getTime() + options.ttlSeconds * 1_000)
    const saving = this.#store(key, { text: toText(answer), storedAt, expiresAt })
    this.#saves.add(saving)
    void saving.finally(() => this.#saves.delete(saving))
  }

  /** Resolves once all answers are stored. */
  async close(): Promise<void> {
    await Promise.all(this.#saves)
  }

  async #store(key: string, stored: StoredAnswer): Promise<void> {
    const { cache, options } = this.#parts
    try {
      await cache.save(key, stored, options)
      if (performance.now() < this.#removesFrom) return
      this.#removesFrom = performance.now() + REMOVAL_MS
      await cache.removeExpired(stored.storedAt, options.maxEntries)
    } catch (error) {
      this.#report(error)
    }
  }

  async #read(key: string, now: Date): Promise<StoredAnswer | undefined> {
    if (performance.now() < this.#readsFrom) return undefined
    try {
      return await withinTime(this.#parts.cache.find(key, now))
    } catch (error) {
      this.#readsFrom = performance.now() + PAUSE_MS
      this.#report(error)
      return undefined
    }
  }

  #report(error: unknown): void {
    if (performance.now() < this.#reportsFrom) return
    this.#reportsFrom = performance.now() + REPORT_MS
    this.#parts.onFault(error)
  }
}

/** @throws where the store needs longer than 250 ms */
function withinTime<Value>(value: Promisable<Value>): Promisable<Value> {
  if (!(value instanceof Promise)) return value
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The answer cache has not answered within ${LONGEST_READ_MS} ms.`))
    const timer = setTimeout(late, LONGEST_READ_MS)
    releaseTimer(timer)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

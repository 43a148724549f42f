import { describe, expect, it } from 'vitest'
import type { AnswerCache, StoredAnswer } from '../answer-cache/answer-cache.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

/** What differs between stores. */
export interface AnswerCacheTraits {
  /** Whether `removeExpired` removes answers. @default true */
  readonly isRemoving?: boolean
}

const noon = Date.UTC(2026, 0, 2, 12)
const at = (seconds: number) => new Date(noon + seconds * 1_000)
const limits = { maxEntries: 1_000, maxBytes: 2 ** 26 }
const keyOf = (number: number) => number.toString(16).padStart(64, '0')

const answer = (number: number, more: Partial<StoredAnswer> = {}): StoredAnswer => ({
  text: `{"number":${number},"text":"ü's \\\\ 🦉 \u2028"}\n{}`,
  storedAt: at(number),
  expiresAt: at(300 + number),
  ...more,
})

/** Registers vitest cases for an `AnswerCache`. Each opens an empty store. */
export function answerCacheConformance(
  open: OpenReplicas<AnswerCache>,
  { isRemoving = true }: AnswerCacheTraits = {},
): void {
  const present = async (cache: AnswerCache, now: Date): Promise<readonly number[]> => {
    const numbers = Array.from({ length: 12 }, (_, number) => number)
    const found = await Promise.all(numbers.map((number) => cache.find(keyOf(number), now)))
    return numbers.filter((number) => found[number] !== undefined)
  }

  describe('answer cache', () => {
    it('finds an answer as it was saved, in all replicas', async () => {
      const replica = alternating(await open(2))
      await replica(0).save(keyOf(1), answer(1), limits)
      expect(await replica(1).find(keyOf(1), at(2))).toEqual(answer(1))
      expect(await replica(1).find(keyOf(2), at(2))).toBeUndefined()
    })

    it('keeps texts of 4 MiB', async () => {
      const cache = await openOne(open)
      const large = answer(1, { text: 'ü'.repeat(2 ** 21) })
      await cache.save(keyOf(1), large, limits)
      expect(await cache.find(keyOf(1), at(2))).toEqual(large)
    })

    it('finds no answer that has expired', async () => {
      const cache = await openOne(open)
      await cache.save(keyOf(1), answer(1), limits)
      expect(await cache.find(keyOf(1), at(300.999))).toEqual(answer(1))
      expect(await cache.find(keyOf(1), at(301))).toBeUndefined()
    })

    it('replaces an answer with the same key', async () => {
      const cache = await openOne(open)
      await cache.save(keyOf(1), answer(1), limits)
      await cache.save(keyOf(1), answer(5), limits)
      expect(await cache.find(keyOf(1), at(302))).toEqual(answer(5))
    })

    it('stores one answer where replicas save the same key at the same time', async () => {
      const replica = alternating(await open(3))
      await Promise.all(Array.from({ length: 9 }, (_, number) => replica(number).save(keyOf(1), answer(5), limits)))
      expect(await replica(0).find(keyOf(1), at(6))).toEqual(answer(5))
      expect(await replica(1).clear()).toBe(1)
    })

    it('removes all answers, and returns their number', async () => {
      const cache = await openOne(open)
      for (let number = 0; number < 12; number += 1) await cache.save(keyOf(number), answer(number), limits)
      expect(await cache.clear()).toBe(12)
      expect(await present(cache, at(12))).toEqual([])
      expect(await cache.clear()).toBe(0)
    })

    it.runIf(isRemoving)('removes answers that have expired', async () => {
      const cache = await openOne(open)
      for (const number of [1, 2, 3]) await cache.save(keyOf(number), answer(number), limits)
      expect(await cache.removeExpired(at(302), 1_000)).toBe(2)
      expect(await present(cache, at(10))).toEqual([3])
      expect(await cache.removeExpired(at(302), 1_000)).toBe(0)
    })

    it.runIf(isRemoving)('removes the answers that expire first beyond the limit', async () => {
      const cache = await openOne(open)
      for (const number of [5, 1, 4, 2, 3]) await cache.save(keyOf(number), answer(number), limits)
      expect(await cache.removeExpired(at(10), 2)).toBe(3)
      expect(await present(cache, at(10))).toEqual([4, 5])
    })
  })
}

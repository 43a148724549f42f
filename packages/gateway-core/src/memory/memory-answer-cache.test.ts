import { describe, expect, it } from 'vitest'
import { answerCacheConformance } from '../conformance/index.ts'
import { memoryAnswerCache } from './memory-answer-cache.ts'

answerCacheConformance((replicas) => Array(replicas).fill(memoryAnswerCache()))

describe('answer cache in memory', () => {
  const now = new Date(0)
  const answer = (text: string) => ({ text, storedAt: now, expiresAt: new Date(1) })

  it('drops the answers that were used longest ago beyond the number', () => {
    const cache = memoryAnswerCache()
    const limits = { maxEntries: 2, maxBytes: 2 ** 20 }
    for (const key of ['a', 'b']) cache.save(key, answer(key), limits)
    cache.find('a', now)
    cache.save('c', answer('c'), limits)
    expect(['a', 'b', 'c'].filter((key) => cache.find(key, now))).toEqual(['a', 'c'])
  })

  it('drops the answers that were used longest ago beyond the bytes, and stores none that is larger', () => {
    const cache = memoryAnswerCache()
    const limits = { maxEntries: 1_000, maxBytes: 10_000 }
    for (let number = 0; number < 100; number += 1) cache.save(`${number}`, answer('a'.repeat(1_000)), limits)
    cache.save('large', answer('a'.repeat(5_000)), limits)
    expect(cache.find('large', now)).toBeUndefined()
    expect(cache.clear()).toBe(4)
  })
})

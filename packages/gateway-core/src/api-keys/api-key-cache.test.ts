import { expect, it } from 'vitest'
import type { ApiKey, ApiKeyId } from './api-key.ts'
import { createApiKeyCache } from './api-key-cache.ts'

const keyWith = (index: number, policy: ApiKey['policy']): ApiKey => ({
  id: `key-${index}` as ApiKeyId, // ids are opaque here
  hash: `${index}` as ApiKey['hash'],
  hint: 'tvm_1',
  userId: 'user',
  username: 'ada',
  rateLimit: 10,
  budget: {},
  policy,
  createdAt: new Date(0),
  usageCount: 0,
})

it('the cache of keys has fewer keys where their rules are long, and all keys of the usual size', async () => {
  const long = { models: Array.from({ length: 200 }, (_, index) => `${'m'.repeat(250)}${index}`) }
  const cached = async (count: number, policy: ApiKey['policy']) => {
    const cache = createApiKeyCache({ cacheSeconds: 1_000 })
    for (let index = 0; index < count; index += 1) await cache.load(`${index}`, async () => keyWith(index, policy))
    return Array.from({ length: count }, (_, index) => cache.get(`${index}`)).filter((key) => key !== undefined).length
  }
  expect(await cached(10_000, { models: ['openai/*', 'fast'] })).toBe(10_000)
  const few = await cached(400, long)
  expect(few).toBeGreaterThan(100)
  expect(few).toBeLessThan(250)
})

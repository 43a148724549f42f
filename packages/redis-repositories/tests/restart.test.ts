import type { ApiKeyId } from '@trivium/gateway-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OwnedRedisHandle, openRedis } from '../src/gateway/open-redis.ts'
import { redisKeyInvalidations } from '../src/gateway/redis-key-invalidations.ts'
import { redisRateLimiter } from '../src/gateway/redis-rate-limiter.ts'
import { canRunRedis, type RedisServer, redisServer } from './redis-server.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here
const now = new Date(Date.UTC(2026, 0, 2))

describe.runIf(canRunRedis)('a client of a Redis that crashes or hangs', { timeout: 30_000 }, () => {
  let server: RedisServer
  let redis: OwnedRedisHandle

  beforeEach(async () => {
    server = await redisServer()
    await server.start()
    redis = await openRedis(server.url)
  })
  afterEach(async () => {
    await redis.close()
    await server.kill()
  })

  it('limits again after a restart, and sends the new process its scripts', async () => {
    const limiter = redisRateLimiter(redis)
    expect((await limiter.admit(key, 1, now)).admitted).toBe(true)
    expect((await limiter.admit(key, 1, now)).admitted).toBe(false)
    await server.kill()
    await expect(limiter.admit(key, 1, now)).rejects.toThrow()
    await expect(limiter.inspect(key, 1, now)).rejects.toThrow()
    await server.start()
    await vi.waitUntil(() => redis.client.status === 'ready', { timeout: 10_000 })
    expect((await limiter.admit(key, 1, now)).admitted).toBe(true)
    expect((await limiter.admit(key, 1, now)).admitted).toBe(false)
  })

  it('rejects commands without an answer, and sends none twice', async () => {
    const limiter = redisRateLimiter(redis)
    await limiter.admit(key, 1000, now)
    server.freeze()
    const outcomes = Promise.allSettled(Array.from({ length: 200 }, () => limiter.admit(key, 1000, now)))
    await server.kill()
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    await server.start()
    await vi.waitUntil(() => redis.client.status === 'ready', { timeout: 10_000 })
    expect(await limiter.inspect(key, 1000, now)).toMatchObject({ remaining: 1000 })
  })

  it('rejects commands after commandTimeoutMs, and notifies subscribers, while Redis hangs', async () => {
    const shortTimeout = await openRedis({ url: server.url, commandTimeoutMs: 50 })
    const received: (ApiKeyId | undefined)[] = []
    const end = await redisKeyInvalidations(redis, { heartbeatMs: 50 }).subscribe((id) => received.push(id))
    server.freeze()
    await expect(redisRateLimiter(shortTimeout).admit(key, 1, now)).rejects.toThrow()
    await vi.waitFor(() => expect(received).toContain(undefined), { timeout: 10_000 })
    await server.kill()
    await end()
    await shortTimeout.close()
  })

  it('notifies subscribers that any key may have changed, and receives changes again after a restart', async () => {
    const invalidations = redisKeyInvalidations(redis, { heartbeatMs: 50 })
    const received: (ApiKeyId | undefined)[] = []
    const end = await invalidations.subscribe((id) => received.push(id))
    await invalidations.publish(key)
    await vi.waitFor(() => expect(received).toEqual([key]), 30_000)
    await server.kill()
    await vi.waitFor(() => expect(received.filter((id) => id === undefined).length).toBeGreaterThan(1), 30_000)
    await expect(invalidations.publish(key)).rejects.toThrow()
    await server.start()
    await vi.waitFor(
      async () => {
        received.length = 0
        await invalidations.publish(key)
        await vi.waitFor(() => expect(received).toContain(key), { timeout: 200 })
      },
      { timeout: 10_000 },
    )
    await end()
  })

  it('subscribes while Redis is unavailable, and treats every key as changed until Redis answers', async () => {
    await server.kill()
    const unavailable = await openRedis({ url: server.url, connectTimeoutMs: 50 })
    const invalidations = redisKeyInvalidations(unavailable, { heartbeatMs: 20 })
    const received: (ApiKeyId | undefined)[] = []
    const end = await invalidations.subscribe((id) => received.push(id))
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(1), 30_000)
    expect(new Set(received)).toEqual(new Set([undefined]))
    await server.start()
    await vi.waitFor(
      async () => {
        await invalidations.publish(key)
        expect(received).toContain(key)
      },
      { timeout: 10_000 },
    )
    await end()
    await unavailable.close()
  })
})

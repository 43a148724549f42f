import type { ApiKeyId } from '@trivium/gateway-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type FaultyProxy,
  faults,
  openFaultyProxy,
  RECOVERY_MS,
  requestContinuously,
} from '../../gateway-core/tests/faulty-proxy.ts'
import { type OwnedRedisHandle, openRedis } from '../src/gateway/open-redis.ts'
import { redisKeyInvalidations } from '../src/gateway/redis-key-invalidations.ts'
import { redisRateLimiter } from '../src/gateway/redis-rate-limiter.ts'
import { canRunRedis, type RedisServer, redisServer } from './redis-server.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here

describe.runIf(canRunRedis)('a connection to Redis', { timeout: 60_000 }, () => {
  let servers: readonly [RedisServer, RedisServer]
  let proxy: FaultyProxy
  let redis: OwnedRedisHandle

  beforeAll(async () => {
    servers = [await redisServer(), await redisServer()]
    await Promise.all(servers.map((server) => server.start()))
  })
  afterAll(() => Promise.all(servers.map((server) => server.kill())))
  beforeEach(async () => {
    proxy = await openFaultyProxy(portOf(servers[0]))
    redis = await openRedis(`redis://127.0.0.1:${proxy.port}`)
  })
  afterEach(async () => {
    await redis.close()
    await proxy[Symbol.asyncDispose]()
  })

  it.each(faults)('checks limits again after $name, within RECOVERY_MS', async ({ name, trigger }) => {
    const limiter = redisRateLimiter(redis)
    const asking = requestContinuously(async (worker) =>
      limiter.admit(`key-${worker}` as ApiKeyId, 1_000_000, new Date()),
    )
    try {
      await asking.recovered()
      await trigger(proxy, () => asking.failure(), portOf(servers[1]))
      const took = await asking.recovered()
      console.info(`Redis, ${name}: limits after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await asking.stop()
    }
  })

  it.each(faults)('receives changes of keys again after $name, within RECOVERY_MS', async ({ name, trigger }) => {
    const invalidations = redisKeyInvalidations(redis)
    const received: (ApiKeyId | undefined)[] = []
    const end = await invalidations.subscribe((id) => received.push(id))
    const publishers = await Promise.all(servers.map(({ url }) => openRedis(url)))
    const publish = () => Promise.all(publishers.map((handle) => redisKeyInvalidations(handle).publish(key)))
    try {
      const invalidated = () => vi.waitFor(() => expect(received).toContain(undefined), { timeout: 10_000 })
      await trigger(proxy, invalidated, portOf(servers[1]))
      const since = performance.now()
      await invalidated()
      received.length = 0
      await vi.waitFor(
        async () => {
          await publish()
          expect(received).toContain(key)
        },
        { timeout: 20_000, interval: 20 },
      )
      const took = performance.now() - since
      console.info(`Redis, ${name}: changes of keys after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await end()
      await Promise.all(publishers.map((handle) => handle.close()))
    }
  })
})

const portOf = ({ url }: RedisServer): number => Number(new URL(url).port)

import { memoryApiKeys, memoryBudgets, memoryRateLimiter, memoryUsage } from '@trivium/gateway-core/memory'
import { describe, expect, it } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

const down = () => Promise.reject(new Error('ECONNREFUSED secret-host:5432'))
const brokenKeys = { ...memoryApiKeys(), find: down, findByHash: down, list: down, add: down, proveWritable: down }
const brokenLimiter = { admit: down, inspect: down }
const KEY = `tvm_${'a'.repeat(43)}`

describe('a gateway whose store is not prepared', () => {
  const sentence = 'The tables are missing.'

  it('rejects its start with the sentence of the store, which is reported once for all requests', async () => {
    let problem: string | undefined = sentence
    const open = openGateway({
      repositories: { apiKeys: brokenKeys, verify: async () => problem },
      // As without an `onFault` of the routes.
      routes: { onFault: (fault, _, id) => open.gateway.onFault(fault, id) },
    })
    const { gateway, faults } = open
    for (let request = 0; request < 3; request += 1) {
      expect((await open.send('/v1/auth/keys', { as: ADMIN })).status).toBe(503)
    }
    await expect(gateway.start()).rejects.toThrow(sentence)
    const reported = () => faults.filter((fault) => fault instanceof Error && fault.message === sentence)
    expect(reported()).toHaveLength(1)
    problem = undefined
    await gateway.start()
    expect(reported()).toHaveLength(1)
  })

  it('rejects calls of its services with the sentence, and reports it with the operation of a request', async () => {
    const operations: unknown[] = []
    const open = openGateway({
      repositories: { apiKeys: brokenKeys, verify: async () => sentence },
      onFault: (fault, operation) => operations.push([fault instanceof Error && fault.message, operation]),
      routes: { onFault: (fault, _, id) => open.gateway.onFault(fault, id) },
    })
    await expect(open.gateway.apiKeys.list({ limit: 1 })).rejects.toThrow(sentence)
    expect((await open.send('/v1/auth/keys', { as: ADMIN })).status).toBe(503)
    expect(operations).toEqual([[sentence, 'listKeys']])
  })

  it('reports the sentence where only its health is asked for', async () => {
    const open = openGateway({ repositories: { apiKeys: brokenKeys, verify: async () => sentence } })
    expect((await open.send('/health')).status).toBe(503)
    expect(open.faults).toEqual([expect.objectContaining({ message: sentence })])
  })

  it('rejects its start with a failure of the store where the check itself fails', async () => {
    const { gateway } = openGateway({ repositories: { verify: down } })
    await expect(gateway.start()).rejects.toMatchObject({ name: 'StoreFailure', message: 'The store is unavailable' })
  })
})

describe('a gateway whose store fails', () => {
  it('returns 503 for keys that are not cached, without the error of the store', async () => {
    const open = openGateway({ repositories: { apiKeys: brokenKeys } })
    for (const response of [
      await open.chat(KEY),
      await open.send('/v1/auth/keys', { as: ADMIN }),
      await open.send('/v1/auth/generate-key', { as: ADMIN, body: { username: 'ada' } }),
    ]) {
      expect(response.headers.get('retry-after')).toBe('1')
      expect(await response.clone().text()).not.toContain('secret-host')
      await expectFailure(response, 503, { type: 'server_error', code: 'store_unavailable' })
    }
    expect(open.faults.length).toBeGreaterThan(0)
  })

  it('admits cached keys', async () => {
    const apiKeys = memoryApiKeys()
    let broken = false
    const open = openGateway({
      repositories: { apiKeys: { ...apiKeys, findByHash: (hash) => (broken ? down() : apiKeys.findByHash(hash)) } },
    })
    await open.gateway.start()
    const { secret } = await open.key()
    await open.chat(secret)
    broken = true
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('returns 503 where the rate limit cannot be checked', async () => {
    const open = openGateway({ repositories: { rateLimiter: brokenLimiter } })
    const { secret } = await open.key()
    const response = await open.chat(secret)
    expect(response.headers.get('retry-after')).toBe('1')
    await expectFailure(response, 503, { code: 'store_unavailable' })
    expect(open.records).toEqual([])
  })

  it('admits requests without limits where `onStoreFailure` is `admit`', async () => {
    const open = openGateway({
      repositories: { rateLimiter: brokenLimiter, budgets: { ...memoryBudgets(), reserve: down } },
      onStoreFailure: 'admit',
    })
    const { secret } = await open.key({ budget: { tokensPerDay: 2_000 } })
    const response = await open.chat(secret)
    expect(response.status).toBe(200)
    expect(response.headers.has('x-ratelimit-limit')).toBe(false)
    expect(open.faults).toHaveLength(2)
  })

  it('returns 503 where the budget cannot be checked', async () => {
    const open = openGateway({ repositories: { budgets: { ...memoryBudgets(), reserve: down } } })
    const { secret } = await open.key({ budget: { tokensPerDay: 100_000 } })
    await expectFailure(await open.chat(secret), 503, { code: 'store_unavailable' })
  })

  it('returns 503 for usage reports', async () => {
    const open = openGateway({ repositories: { usage: { ...memoryUsage(), summarize: down } } })
    await expectFailure(await open.send('/v1/usage', { as: ADMIN }), 503, { code: 'store_unavailable' })
  })

  it('returns 503 for `/health` where the store can be read but not written', async () => {
    const open = openGateway({ repositories: { apiKeys: { ...memoryApiKeys(), proveWritable: down } } })
    const response = await open.send('/health')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: 'unhealthy', components: { store: 'unhealthy' } })
  })

  it('reports the failed part in `/health`, with 503 for the store of keys', async () => {
    const store = openGateway({ repositories: { apiKeys: brokenKeys } })
    const response = await store.send('/health')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      status: 'unhealthy',
      components: { store: 'unhealthy', limiter: 'healthy' },
    })
    const limiter = openGateway({ repositories: { rateLimiter: { ...memoryRateLimiter(), admit: down } } })
    const degraded = await limiter.send('/health')
    expect(degraded.status).toBe(200)
    expect(await degraded.json()).toMatchObject({
      status: 'degraded',
      components: { store: 'healthy', limiter: 'unhealthy' },
    })
  })
})

describe('health report', () => {
  it('contains the version, the time and every part', async () => {
    const open = openGateway({ version: '9.8.7' })
    expect(await (await open.send('/health')).json()).toEqual({
      status: 'healthy',
      version: '9.8.7',
      timestamp: '2026-01-02T03:04:05.000Z',
      components: { store: 'healthy', limiter: 'healthy', providers: { up: 'healthy' }, search: {}, checks: {} },
    })
  })

  it("contains the host's own checks, and is degraded while one fails", async () => {
    let isFull = true
    const write = async () => {
      if (isFull) throw new Error('ENOSPC')
    }
    const open = () => openGateway({ health: { checks: { pictures: write, projects: async () => undefined } } })
    const degraded = await open().send('/health')
    expect(degraded.status).toBe(200)
    expect(await degraded.json()).toMatchObject({
      status: 'degraded',
      components: { store: 'healthy', checks: { pictures: 'unhealthy', projects: 'healthy' } },
    })
    isFull = false
    expect(await (await open().send('/health')).json()).toMatchObject({ status: 'healthy' })
  })

  it('checks the store once for many simultaneous requests', async () => {
    let asked = 0
    const apiKeys = memoryApiKeys()
    const open = openGateway({
      repositories: {
        apiKeys: {
          ...apiKeys,
          proveWritable: () => {
            asked += 1
            return apiKeys.proveWritable()
          },
        },
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => open.send('/health')))
    expect(asked).toBe(1)
  })
})

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  canRunRedis,
  type RedisServer,
  redisServer,
} from '../../../../packages/redis-repositories/tests/redis-server.ts'
import { type FreshDatabase, sqliteFile } from '../../../../packages/sql-repositories/tests/test-databases.ts'
import { startLoad } from './background-load.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { issueKey, together, use, validate } from './requests.ts'

const LIMIT = 10

describe.runIf(canRunRedis)('servers whose Redis is killed', { timeout: 60_000 }, () => {
  let redis: RedisServer
  let database: FreshDatabase
  let cluster: Cluster

  beforeAll(async () => {
    redis = await redisServer()
    await redis.start()
    database = await sqliteFile.create()
    cluster = await startCluster(2, { DATABASE_URL: database.url ?? '', REDIS_URL: redis.url })
  }, 90_000)
  afterAll(async () => {
    await cluster?.stop()
    await database?.remove()
    await redis?.kill()
  })

  it('answer 503 with the reason while it is down, and use it again as soon as it is back', async () => {
    const { api_key: key } = await issueKey(cluster.at(0), { rate_limit: 100_000 })
    const loads = cluster.servers.map((server) => startLoad(() => use(server, key)))
    await Promise.all(loads.map((load) => load.until(200, 10)))
    await redis.kill()
    await Promise.all(loads.map((load) => load.until(503, 10)))
    for (const server of cluster.servers) {
      const refused = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } })
      const health = await fetch(`${server.url}/health`)
      expect(health.status).toBe(200)
      expect(await health.json()).toMatchObject({ status: 'degraded', components: { limiter: 'unhealthy' } })
    }
    await redis.start()
    await Promise.all(loads.map((load) => load.until(200, 10)))
    await Promise.all(loads.map((load) => load.stop()))
    for (const { counts } of loads) expect([...counts.keys()].sort()).toEqual([200, 503])
  })

  it('apply limits exactly once it is back', async () => {
    const { api_key: key } = await issueKey(cluster.at(0), { rate_limit: LIMIT })
    const statuses = await together(cluster.servers, LIMIT, (server) => use(server, key))
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
  })

  it('refuse a key that was revoked while it was down', async () => {
    const { api_key: key, key_id: id } = await issueKey(cluster.at(0), { rate_limit: 100_000 })
    await together(cluster.servers, 1, (server) => use(server, key))
    await redis.kill()
    expect((await cluster.at(0).ask(`/v1/auth/keys/${id}`, { method: 'DELETE' })).status).toBe(200)
    await redis.start()
    await vi.waitFor(async () => {
      for (const server of cluster.servers) expect(await use(server, key)).toBe(401)
    }, 30_000)
    for (const server of cluster.servers) expect(await validate(server, key)).toMatchObject({ valid: false })
  })
})

describe.runIf(canRunRedis)('a host that admits requests while its Redis is unavailable', { timeout: 60_000 }, () => {
  it('applies limits, admits every request while Redis is down, and applies limits again', async () => {
    const redis = await redisServer()
    await redis.start()
    const host = fork(join(import.meta.dirname, 'admitting-host.ts'), [redis.url], {
      execArgv: ['--conditions=@trivium/source'],
    })
    const exited = once(host, 'exit')
    try {
      const [{ url, key }] = await once(host, 'message')
      const ask = async () => {
        const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
        await response.arrayBuffer()
        return response.status
      }
      const statuses: number[] = []
      for (let index = 0; index < 4; index += 1) statuses.push(await ask())
      expect(statuses).toEqual([200, 200, 200, 429])
      await redis.kill()
      const meanwhile = await Promise.all(Array.from({ length: 10 }, ask))
      expect(new Set(meanwhile)).toEqual(new Set([200]))
      await redis.start()
      await vi.waitFor(async () => expect(await ask()).toBe(429), { timeout: 10_000, interval: 10 })
    } finally {
      host.disconnect()
      await exited
      await redis.kill()
    }
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerProcess } from '../server-process.ts'
import { storageClient } from '../storage/storage-client.ts'
import { startLoad } from './background-load.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { canRunPostgres, type PrivatePostgres, privatePostgres } from './private-postgres.ts'
import { issueKey, use } from './requests.ts'

const SIZE = 2
const CYCLES = 1000
/** The most connections of a server's pool. */
const POOL = 10

describe.runIf(canRunPostgres)('servers whose PostgreSQL restarts', { timeout: 60_000 }, () => {
  let postgres: PrivatePostgres
  let cluster: Cluster
  let key: string

  beforeAll(async () => {
    postgres = await privatePostgres()
    await postgres.start()
    cluster = await startCluster(SIZE, { DATABASE_URL: postgres.url })
    key = (await issueKey(cluster.at(0), { rate_limit: 100_000 })).api_key
  }, 90_000)
  afterAll(async () => {
    await cluster?.stop()
    await postgres?.remove()
  })

  const statusOf = async (answer: Promise<Response>): Promise<number> => {
    const response = await answer
    await response.arrayBuffer()
    return response.status
  }

  const issue = (server: ServerProcess) =>
    statusOf(server.ask('/v1/auth/generate-key', { method: 'POST', body: { username: 'load' } }))

  it('answer 503 with the reason while it is down, and use it again as soon as it is back', async () => {
    const processes = cluster.servers.map((server) => server.process.pid)
    const loads = cluster.servers.flatMap((server) => [
      startLoad(() => use(server, key)),
      startLoad(() => issue(server)),
      startLoad(() => statusOf(server.ask('/v1/auth/keys?limit=5'))),
      startLoad(() => statusOf(server.ask('/api/storage/quota/rules'))),
    ])
    const orders = startLoad(() => orderQtree(cluster.at(0)))
    await Promise.all([...loads.map((load) => load.until(200, 20)), orders.until(202, 20)])
    await postgres.crash()
    await Promise.all([...loads, orders].map((load) => load.until(503, 5)))
    for (const server of cluster.servers) {
      const refused = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({ error: { type: 'server_error', code: 'store_unavailable' } })
      expect((await fetch(`${server.url}/health`)).status).toBe(503)
    }
    await postgres.start()
    await Promise.all([...loads.map((load) => load.until(200, 20)), orders.until(202, 20)])
    await Promise.all([...loads, orders].map((load) => load.stop()))
    for (const { counts } of loads) expect([...counts.keys()].sort()).toEqual([200, 503])
    expect([...orders.counts.keys()].sort()).toEqual([202, 503])
    expect(cluster.servers.map((server) => server.process.pid)).toEqual(processes)
  })

  it('complete every job', { timeout: 120_000 }, async () => {
    const client = storageClient(cluster.at(0))
    const unfinished = () => client.list('/cluster/jobs?state=!success&fields=state&max_records=1000')
    await vi.waitFor(async () => expect((await unfinished()).records).toEqual([]), { timeout: 90_000, interval: 250 })
    const { records } = await client.list('/storage/qtrees?max_records=5000&fields=name')
    expect(records.length).toBeGreaterThanOrEqual(40)
  })

  it('lose no connection of their pools over 1,000 requests, of which some are aborted', async () => {
    const cut = async (server: ServerProcess) => {
      const aborter = new AbortController()
      const answer = server.ask('/v1/auth/keys?limit=100', { signal: aborter.signal })
      setImmediate(() => aborter.abort())
      await statusOf(answer).catch(() => undefined)
    }
    const cycle = async (index: number) => {
      const server = cluster.at(index % SIZE)
      if (index % 5 === 0) await cut(server)
      else if (index % 2 === 0) await use(server, key)
      else await issue(server)
      if (index % 100 === 99) {
        await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OWN_SESSIONS}`)
      }
    }
    const workers = Array.from({ length: 20 }, async (_, worker) => {
      for (let index = worker; index < CYCLES; index += 20) await cycle(index)
    })
    await Promise.all(workers)
    // The servers' own work uses transactions too. Only a lost connection stays in one.
    await vi.waitFor(async () => {
      const states = await postgres.query<{ state: string }>(`select state from pg_stat_activity where ${OWN_SESSIONS}`)
      expect(states.length).toBeLessThanOrEqual(SIZE * POOL)
      expect(states.filter(({ state }) => state.startsWith('idle in transaction'))).toEqual([])
    }, 20_000)
    // Uses all connections at the same time, which shows that each pool still has all of them.
    const statuses = await Promise.all(
      Array.from({ length: 4 * SIZE * POOL }, (_, index) => use(cluster.at(index % SIZE), key)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

let ordered = 0

/** Orders a qtree, which a job creates. */
async function orderQtree(server: ServerProcess): Promise<number> {
  ordered += 1
  const response = await server.ask('/api/storage/qtrees', {
    method: 'POST',
    body: { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: `qt${ordered}` },
  })
  await response.arrayBuffer()
  return response.status
}

const OWN_SESSIONS = "application_name = 'trivium'"

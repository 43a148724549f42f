import type { ApiKeyId } from '@trivium/gateway-core'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { sqlKeyInvalidations } from '../src/gateway/sql-key-invalidations.ts'
import { openDatabase } from '../src/open-database.ts'
import { type OwnServer, ownServers } from './own-servers.ts'

const CONNECTIONS = 5
const CYCLES = 1_000
const key = 'key-1' as ApiKeyId // ids are opaque here
const now = new Date(Date.UTC(2026, 0, 2))

// A file without a test would be a failure.
if (ownServers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined)

describe.each(ownServers)('a pool of $name whose server crashes under load and restarts', {
  timeout: 300_000,
}, (kind) => {
  let server: OwnServer
  let database: Database

  beforeAll(async () => {
    server = await kind.create()
    await server.start()
    database = await openDatabase({ url: server.url, maxConnections: CONNECTIONS, connectTimeoutMs: 1000 })
    await migrateGateway(database)
  }, 60_000)
  afterAll(async () => {
    await database.close()
    await server.remove()
  })

  it('fails queries during the outage, and answers them again with the same handle', async () => {
    const { rateLimiter, apiKeys } = sqlGatewayRepositories(database)
    for (let outage = 1; outage <= 3; outage += 1) {
      let answers = 0
      let errors = 0
      let stopped = false
      const work = async (index: number) => {
        while (!stopped) {
          try {
            await rateLimiter.admit(`key-${index}` as ApiKeyId, 1_000_000, now)
            await apiKeys.find(key)
            answers += 1
          } catch {
            errors += 1
          }
        }
      }
      const workers = Array.from({ length: 12 }, (_, index) => work(index))
      try {
        await vi.waitUntil(() => answers > 50, { timeout: 20_000 })
        await server.kill()
        const answersBefore = answers
        await vi.waitUntil(() => errors > 20, { timeout: 20_000 })
        expect(answers - answersBefore).toBeLessThanOrEqual(workers.length)
        await server.start()
        const answersDuring = answers
        await vi.waitUntil(() => answers > answersDuring + 100, { timeout: 20_000 })
      } finally {
        stopped = true
        await Promise.all(workers)
      }
    }
    expect(await sessions(database)).toBeLessThanOrEqual(CONNECTIONS)
  })

  it('loses no admission that was answered', async () => {
    const { rateLimiter } = sqlGatewayRepositories(database)
    const counted = 'counted' as ApiKeyId // ids are opaque here
    let admitted = 0
    const admit = async () => {
      const decision = await Promise.resolve(rateLimiter.admit(counted, 100, now)).catch(() => undefined)
      if (decision?.admitted) admitted += 1
    }
    const calls = Array.from({ length: 60 }, admit)
    await vi.waitUntil(() => admitted > 5, { timeout: 20_000 })
    await server.kill()
    await Promise.all(calls)
    await server.start()
    await vi.waitFor(() => rateLimiter.inspect(counted, 100, now), { timeout: 20_000 })
    const { remaining } = await rateLimiter.inspect(counted, 100, now)
    expect(100 - remaining).toBeGreaterThanOrEqual(admitted)
  })

  it('leaks no connection over a thousand cycles, even when connections are cut', async () => {
    const { rateLimiter, apiKeys } = sqlGatewayRepositories(database)
    await vi.waitFor(() => apiKeys.find(key), { timeout: 20_000 })
    let cut = 0
    const cycle = async (index: number) => {
      try {
        if (index % 50 === 49) await cutSessions(database)
        if (index % 2 === 0) await apiKeys.change(key, { name: `name ${index}` })
        else await rateLimiter.admit(`cycle-${index % 7}` as ApiKeyId, 1_000_000, now)
      } catch {
        cut += 1
      }
    }
    const workers = Array.from({ length: 20 }, async (_, worker) => {
      for (let index = worker; index < CYCLES; index += 20) await cycle(index)
    })
    await Promise.all(workers)
    expect(cut).toBeGreaterThan(0)
    // A connection that was cut at the very end may be detected only now.
    expect(await vi.waitFor(() => sessions(database), { timeout: 20_000 })).toBeLessThanOrEqual(CONNECTIONS)
    // Query over all connections, since the pool must not have lost any. One that was cut last may fail one more query.
    const findTogether = () => Promise.all(Array.from({ length: 10 * CONNECTIONS }, () => apiKeys.find(key)))
    expect(await vi.waitFor(findTogether, { timeout: 20_000 })).toHaveLength(10 * CONNECTIONS)
  })

  it('notifies subscribers that any key may have changed', async () => {
    const invalidations = sqlKeyInvalidations(database, { pollMs: 20 })
    const received: (ApiKeyId | undefined)[] = []
    const end = await invalidations.subscribe((id) => received.push(id))
    await invalidations.publish(key)
    await vi.waitFor(() => expect(received).toEqual([key]), { timeout: 10_000 })
    await server.kill()
    await vi.waitFor(() => expect(received).toContain(undefined), { timeout: 10_000 })
    await server.start()
    received.length = 0
    await vi.waitFor(() => invalidations.publish(key), { timeout: 20_000 })
    await vi.waitFor(() => expect(received).toContain(key), { timeout: 10_000 })
    await end()
  })
})

/** Ends all connections to the server except its own. */
async function cutSessions({ kysely, dialect }: Database): Promise<void> {
  if (dialect.name === 'postgres') {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()
    `.execute(kysely)
    return
  }
  const { rows } = await sql<{ id: number }>`
    select id from information_schema.processlist where user = 'root' and id <> connection_id()
  `.execute(kysely)
  // A connection may have closed before its turn.
  for (const { id } of rows) await sql`kill ${sql.lit(Number(id))}`.execute(kysely).catch(() => undefined)
}

/** The number of connections to the server. */
async function sessions({ kysely, dialect }: Database): Promise<number> {
  const { rows } =
    dialect.name === 'postgres'
      ? await sql<{ count: number }>`
          select count(*) as count from pg_stat_activity where backend_type = 'client backend'
        `.execute(kysely)
      : await sql<{ count: number }>`
          select count(*) as count from information_schema.processlist where user = 'root'
        `.execute(kysely)
  return Number(rows[0]?.count)
}

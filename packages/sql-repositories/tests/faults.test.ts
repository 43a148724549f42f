import type { ApiKeyId } from '@trivium/gateway-core'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type FaultyProxy,
  faults,
  openFaultyProxy,
  RECOVERY_MS,
  requestContinuously,
} from '../../gateway-core/tests/faulty-proxy.ts'
import type { Database } from '../src/database.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { sqlKeyInvalidations } from '../src/gateway/sql-key-invalidations.ts'
import { openDatabase } from '../src/open-database.ts'
import { databaseServers, type FreshDatabase } from './test-databases.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here

// A file without a test would be a failure.
if (databaseServers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined)

describe.each(databaseServers)('a connection to $name', { timeout: 60_000 }, (kind) => {
  let fresh: FreshDatabase
  let direct: Database
  /** A second proxy to the server, on another port. */
  let other: FaultyProxy
  let proxy: FaultyProxy
  let database: Database

  beforeAll(async () => {
    fresh = await kind.create()
    direct = await fresh.open()
    await migrateGateway(direct)
    other = await openFaultyProxy(portOf(fresh))
  })
  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await fresh.remove()
  })
  beforeEach(async () => {
    proxy = await openFaultyProxy(portOf(fresh))
    database = await openThrough(proxy)
  })
  afterEach(async () => {
    await database.close()
    await proxy[Symbol.asyncDispose]()
  })

  const openThrough = async ({ port }: FaultyProxy, overdueMs?: number): Promise<Database> => {
    const url = new URL(fresh.url ?? '')
    url.port = String(port)
    return openDatabase({ url: url.href, maxConnections: 10, ...(overdueMs && { overdueMs }) })
  }

  it.each(faults)('checks limits again after $name, within RECOVERY_MS', async ({ name, trigger }) => {
    const { rateLimiter, apiKeys } = sqlGatewayRepositories(database)
    const asking = requestContinuously(async (worker) => {
      await apiKeys.find(key)
      await rateLimiter.admit(`key-${worker}` as ApiKeyId, 1_000_000, new Date())
    })
    try {
      await asking.recovered()
      // More connections than the workers use, so that the fault breaks idle ones too.
      await Promise.all(Array.from({ length: 10 }, () => apiKeys.find(key)))
      await trigger(proxy, () => asking.failure(), other.port)
      const took = await asking.recovered()
      console.info(`${kind.name}, ${name}: limits after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await asking.stop()
    }
  })

  it.each(faults)('receives changes of keys again after $name, within RECOVERY_MS', async ({ name, trigger }) => {
    const received: (ApiKeyId | undefined)[] = []
    const end = await sqlKeyInvalidations(database).subscribe((id) => received.push(id))
    const keyInvalidations = sqlKeyInvalidations(direct)
    try {
      await keyInvalidations.publish(key)
      await vi.waitFor(() => expect(received).toEqual([key]), { timeout: 10_000 })
      const invalidated = () =>
        vi.waitFor(() => expect(received).toContain(undefined), { timeout: 10_000, interval: 5 })
      await trigger(proxy, invalidated, other.port)
      const since = performance.now()
      received.length = 0
      await keyInvalidations.publish(key)
      await vi.waitFor(() => expect(received).toContain(key), { timeout: 20_000, interval: 5 })
      const took = performance.now() - since
      console.info(`${kind.name}, ${name}: changes of keys after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await end()
    }
  })

  it('waits for an overdue statement that the server works on', async () => {
    const shortOverdue = await openThrough(proxy, 1000)
    try {
      const slow = kind.name === 'PostgreSQL' ? sql`select pg_sleep(2.5)` : sql`select sleep(2.5)`
      await Promise.all([slow.execute(shortOverdue.kysely), slow.execute(shortOverdue.kysely)])
    } finally {
      await shortOverdue.close()
    }
  })
})

const portOf = ({ url }: FreshDatabase): number =>
  Number(new URL(url ?? '').port || (url?.startsWith('postgres') ? 5432 : 3306))

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { RATE_WINDOW_MS } from '@trivium/gateway-core/ports'
import { everything, type NodeId } from '@trivium/storage-core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import type { Order } from './replica-process.ts'
import { type FreshDatabase, sharedDatabases } from './test-databases.ts'

const PROCESSES = 4
const startTime = Date.UTC(2026, 0, 2)
const node = { uuid: '00000001-0000-4000-8000-000000000000' as NodeId, name: 'node1' } // ids are opaque here
const program = fileURLToPath(new URL('replica-process.ts', import.meta.url))

describe.each(sharedDatabases)('four processes over one $name', { timeout: 60_000 }, (kind) => {
  let fresh: FreshDatabase
  let database: Database
  let processes: readonly ChildProcess[]

  beforeAll(async () => {
    fresh = await kind.create()
    database = await fresh.open()
    await migrateGateway(database)
    await migrateStorage(database)
    processes = await Promise.all(
      Array.from({ length: PROCESSES }, async () => {
        const child = fork(program, [fresh.url ?? ''], { execArgv: ['--conditions=@trivium/source'] })
        await once(child, 'message')
        return child
      }),
    )
  }, 60_000)
  afterAll(async () => {
    const ends = processes.map((child) => once(child, 'exit'))
    for (const child of processes) child.disconnect()
    await Promise.all(ends)
    await fresh.remove()
  })

  /** Sends an order to every process. @returns the total number of granted operations */
  const order = async (orderOf: (first: number) => Order): Promise<number> => {
    const counts = await Promise.all(
      processes.map(async (child, index): Promise<number> => {
        const answer = once(child, 'message')
        child.send(orderOf(1_000 * (index + 1)))
        const [count] = await answer
        return count
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  it('admit exactly the limit in each window', async () => {
    const admit = (now: number) => order(() => ({ kind: 'admit', count: 40, limit: 25, now }))
    expect(await admit(startTime)).toBe(25)
    expect(await admit(startTime + RATE_WINDOW_MS - 1)).toBe(0)
    expect(await admit(startTime + RATE_WINDOW_MS)).toBe(25)
  })

  it('reserve no more tokens than a budget has', async () => {
    expect(await order((first) => ({ kind: 'reserve-tokens', count: 20, first, limit: 305 }))).toBe(30)
  })

  it('reserve no more split load than a node has', async () => {
    const { nodes } = sqlStorageRepositories(database)
    await nodes.register({ ...node, splitLoadMaximum: 100 * 4_096 })
    expect(await order((first) => ({ kind: 'reserve-load', count: 20, first, size: 3 * 4_096 }))).toBe(33)
    expect(await nodes.splitLoads(new Date(startTime))).toMatchObject([{ tokenReserved: 99 * 4_096 }])
  })

  it('add each key name once', async () => {
    expect(await order((first) => ({ kind: 'add-names', count: 15, first }))).toBe(15)
    expect(await sqlGatewayRepositories(database).apiKeys.list({ limit: 100 })).toHaveLength(15)
  })

  it('add each quota target once', async () => {
    expect(await order((first) => ({ kind: 'add-rules', count: 15, first }))).toBe(15)
    expect(await sqlStorageRepositories(database).quotaRules.count(everything)).toBe(15)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storageClient } from '../storage/storage-client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { issueKey, use, validate } from './requests.ts'
import { type SharedStore, sharedDatabaseStores } from './shared-stores.ts'
import { usageLedger } from './usage-ledger.ts'
import { writeThroughCrashes } from './write-through-crashes.ts'
import { keyWriter, ruleWriter, tokenWriter } from './writers.ts'

const SIZE = 3
/** Writes of each kind over each database: more than 2,000 of each kind over all databases. */
const WRITES = 700
const CRASHES = 2
const LIMIT = 100

describe.each(sharedDatabaseStores)('servers that are killed over $name', { timeout: 120_000 }, (kind) => {
  const writers = [keyWriter, ruleWriter, tokenWriter]
  const ledger = usageLedger()
  const keys: { readonly api_key: string; readonly key_id: string }[] = []
  let store: SharedStore
  let cluster: Cluster
  let answered: readonly ReadonlySet<number>[]

  beforeAll(async () => {
    store = await kind.create()
    cluster = await startCluster(SIZE, store.environment)
    for (const _ of [1, 2, 3]) {
      keys.push(await issueKey(cluster.at(0), { username: 'chatter', rate_limit: 100_000 }))
    }
    const chats = {
      write: (server: Parameters<typeof ledger.chat>[0], number: number) =>
        ledger.chat(server, keys[number % keys.length]?.api_key ?? ''),
    }
    answered = await writeThroughCrashes({ cluster, writers: [...writers, chats], writes: WRITES, crashes: CRASHES })
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    await store?.remove()
  })

  it.each(
    writers.map((writer, index) => ({ writer, index })),
  )('keep every answered write of $writer.name, and no partial one', async ({ writer, index }) => {
    const found = await writer.read(cluster.at(0))
    expect(found.filter(({ isComplete }) => !isComplete)).toEqual([])
    const numbers = new Set(found.map(({ number }) => number))
    expect(numbers.size).toBe(found.length)
    expect([...(answered[index] ?? [])].filter((number) => !numbers.has(number))).toEqual([])
  })

  it('account every chat that they had written, and each once', async () => {
    const response = await cluster.at(0).ask('/v1/usage?group_by=key')
    const { data }: { data: readonly { key_id: string | null; requests: number }[] } = await response.json()
    for (const { api_key: key, key_id: id } of keys) {
      const requests = data.find(({ key_id }) => key_id === id)?.requests ?? 0
      const { usage_count: uses = 0 } = await validate(cluster.at(0), key)
      expect(ledger.written(key)).toBeGreaterThan(WRITES / keys.length / 2)
      for (const counted of [requests, uses]) {
        expect(counted).toBeGreaterThanOrEqual(ledger.written(key))
        expect(counted).toBeLessThanOrEqual(ledger.started(key))
      }
    }
  })

  it('reserve exactly the load of existing tokens, and release it', async () => {
    const client = storageClient(cluster.at(0))
    const reserved = async () => {
      const { load } = await client.one('/storage/file/clone/split-loads?fields=*')
      return JSON.parse(JSON.stringify(load)).token_reserved
    }
    const found = await tokenWriter.read(cluster.at(0))
    expect(await reserved()).toBe(found.reduce((sum, { number }) => sum + (number + 1) * 4096, 0))
    await client.call('DELETE', '/storage/file/clone/tokens?reserve_size=>0&return_timeout=60')
    expect(await reserved()).toBe(0)
  })

  it('admit no more than the limit of a key when one is killed meanwhile', async () => {
    const { api_key: key } = await issueKey(cluster.at(0), { username: 'limited', rate_limit: LIMIT })
    const statuses: (number | 'cut')[] = []
    const workers = Array.from({ length: 4 * SIZE }, async (_, worker) => {
      const server = cluster.at(worker)
      for (;;) {
        const status = await use(server, key).catch(() => 'cut' as const)
        statuses.push(status)
        if (status !== 200) return
      }
    })
    while (!statuses.includes(200)) await new Promise(setImmediate)
    const crash = cluster.crash(1)
    await Promise.all(workers)
    await crash
    const rest = await Promise.all(Array.from({ length: LIMIT }, (_, index) => use(cluster.at(index), key)))
    const all = [...statuses, ...rest]
    const admitted = all.filter((status) => status === 200).length
    expect(admitted).toBeLessThanOrEqual(LIMIT)
    expect(admitted + all.filter((status) => status === 'cut').length).toBeGreaterThanOrEqual(LIMIT)
    expect(await validate(cluster.at(0), key)).toMatchObject({ remaining: 0 })
  })
})

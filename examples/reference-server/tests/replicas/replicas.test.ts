import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerProcess } from '../server-process.ts'
import { storageClient } from '../storage/storage-client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { issueKey, together, use, validate } from './requests.ts'
import { type SharedStore, sharedStores } from './shared-stores.ts'

const SIZE = 3
const LIMIT = 50
const REVOCATIONS = 3
/** The number of tokens that together reserve all of a node's load. */
const SHARES = 32

describe.each(sharedStores)('three servers that share $name', { timeout: 60_000 }, (kind) => {
  let store: SharedStore
  let cluster: Cluster

  beforeAll(async () => {
    store = await kind.create()
    cluster = await startCluster(SIZE, store.environment)
  }, 90_000)
  afterAll(async () => {
    await cluster?.stop()
    await store?.remove()
  })

  it('create its tables when all start at the same time', async () => {
    for (const server of cluster.servers) expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('admit exactly the limit of a key', async () => {
    const { api_key: key } = await issueKey(cluster.at(0), { rate_limit: LIMIT })
    const statuses = await together(cluster.servers, LIMIT, (server) => use(server, key))
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength((SIZE - 1) * LIMIT)
    for (const server of cluster.servers) expect(await validate(server, key)).toMatchObject({ remaining: 0 })
  })

  it("reserve all of a node's split load, and no more", async () => {
    const client = storageClient(cluster.at(0))
    const load = async () => JSON.parse(JSON.stringify(await client.one('/storage/file/clone/split-loads?fields=*')))
    const { node, load: before } = await load()
    const share = before.maximum / SHARES
    const statuses = await together(cluster.servers, SHARES / 2, (server) => reserve(server, node.uuid, share))
    expect(statuses.filter((status) => status === 201)).toHaveLength(SHARES)
    expect(statuses.filter((status) => status === 409)).toHaveLength((SIZE / 2 - 1) * SHARES)
    expect(await load()).toMatchObject({ load: { token_reserved: before.maximum, allowable: 0 } })
  })

  /** Returns for each server how long it still admits a key after the answer to its revocation, in milliseconds; below 0 where it does not. */
  const revoke = async (): Promise<readonly number[]> => {
    const { api_key: key, key_id: id } = await issueKey(cluster.at(0), { rate_limit: 100_000 })
    await together(cluster.servers, 1, (server) => use(server, key))
    const lastAdmissions = Promise.all(cluster.servers.map((server) => lastAdmission(server, key)))
    const answer = await cluster.at(0).ask(`/v1/auth/keys/${id}`, { method: 'DELETE' })
    const revokedAt = performance.now()
    expect(answer.status).toBe(200)
    const delays = (await lastAdmissions).map((last) => last - revokedAt)
    expect(new Set(await together(cluster.servers, 5, (server) => use(server, key)))).toEqual(new Set([401]))
    return delays
  }

  it('refuse a key within a second after one of them revoked it, permanently', async () => {
    const delays: number[] = []
    for (let round = 0; round < REVOCATIONS; round += 1) {
      const [own = 0, ...others] = await revoke()
      expect(own).toBeLessThan(0)
      delays.push(Math.max(...others))
    }
    // The median: a busy machine can delay a process once.
    expect(delays.sort((one, other) => one - other)[Math.floor(REVOCATIONS / 2)]).toBeLessThan(1000)
  })
})

/** Uses a key until it is refused. @returns when the last admitted request was sent */
async function lastAdmission(server: ServerProcess, key: string): Promise<number> {
  let last = Number.NEGATIVE_INFINITY
  for (;;) {
    const sentAt = performance.now()
    const status = await use(server, key)
    if (status === 401) return last
    expect(status).toBe(200)
    last = sentAt
  }
}

async function reserve(server: ServerProcess, node: string, size: number): Promise<number> {
  const response = await server.ask('/api/storage/file/clone/tokens', {
    method: 'POST',
    body: { node: { uuid: node }, reserve_size: size, expiry_time: { limit: 'PT1H' } },
  })
  await response.arrayBuffer()
  return response.status
}

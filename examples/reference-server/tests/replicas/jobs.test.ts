import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import type { ServerProcess } from '../server-process.ts'
import { storageClient } from '../storage/storage-client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type SharedStore, sharedDatabaseStores } from './shared-stores.ts'

const QTREES = 60
/** The time without a sign of a process after which others take its jobs over. */
const LEASE_MS = 30_000

interface JobRecord {
  readonly uuid: string
  readonly state: string
}

describe.skipIf(!(await canMount('btrfs')))('jobs of servers that share a file system', () => {
  const mounts: LoopMount[] = []
  const stores: SharedStore[] = []
  const clusters: Cluster[] = []

  beforeAll(async () => {
    for (const kind of sharedDatabaseStores) {
      const [store, mount] = [await kind.create(), await mountLoop('btrfs', 320)]
      stores.push(store)
      mounts.push(mount)
      clusters.push(await startCluster(2, { ...store.environment, TRIVIUM_VOLUMES: `vol1=${mount.directory}` }))
    }
  }, 120_000)
  afterAll(async () => {
    for (const cluster of clusters) await cluster.stop()
    for (const store of stores) await store.remove()
    for (const mount of mounts) await mount.unmount()
  })

  it.concurrent.each(
    sharedDatabaseStores.map(({ name }, index) => ({ name, index })),
  )('complete on another server after a crash, over $name', { timeout: 4 * LEASE_MS }, async ({ index }) => {
    const [cluster, mount] = [clusters[index], mounts[index]]
    if (!cluster || !mount) throw new Error('nothing was started')
    const victim = cluster.at(0)
    const otherClient = storageClient(cluster.at(1))
    const answered: string[] = []
    const orders = Array.from({ length: QTREES }, (_, number) =>
      orderQtree(victim, `qt${number}`).then(
        () => answered.push(`qt${number}`),
        () => undefined,
      ),
    )
    const running = async () => (await otherClient.list('/cluster/jobs?state=running')).num_records > 0
    while (answered.length < QTREES / 2 || !(await running())) await setImmediate()
    const crash = cluster.crash(0)
    await Promise.all([...orders, crash])

    const jobs = async () => {
      const { records } = await otherClient.list('/cluster/jobs?fields=state&max_records=1000')
      return records.map(({ uuid, state }): JobRecord => ({ uuid: String(uuid), state: String(state) }))
    }
    await vi.waitFor(async () => expect((await jobs()).filter(({ state }) => state !== 'success')).toEqual([]), {
      timeout: 3 * LEASE_MS,
      interval: 250,
    })
    const { records } = await otherClient.list('/storage/qtrees?max_records=1000')
    const listed = records.map(({ name }) => String(name)).filter((name) => name !== '')
    expect(listed).toEqual(expect.arrayContaining(answered))
    expect(listed.sort()).toEqual(
      readdirSync(mount.directory)
        .filter((name) => name.startsWith('qt'))
        .sort(),
    )
  })
})

/** Orders a qtree. Resolves when the server has accepted the order, which a job completes. */
async function orderQtree(server: ServerProcess, name: string): Promise<void> {
  await storageClient(server).call('POST', '/storage/qtrees', {
    svm: { name: 'svm1' },
    volume: { name: 'vol1' },
    name,
  })
}

import { type SimulatedVolume, simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it, onTestFinished } from 'vitest'
import { createStorage } from '../src/create-storage.ts'
import { openStorage } from './open-storage.ts'

/** Replaces a file system that is not mounted yet. */
const without = (volume: SimulatedVolume): SimulatedVolume => ({
  ...volume,
  listQtrees: () => Promise.reject(new Error('not mounted')),
})

it('adds no job when a start fails, and starts at a later request', async () => {
  const repositories = memoryStorageRepositories()
  const first = await openStorage({ repositories })
  const enabled = (await first.storage.volumes.setQuota(first.vol1.uuid, true))._unsafeUnwrap()
  await first.storage.jobs.wait(enabled, 5000)
  await first.storage.close()
  const all = { query: { all: [] }, order: [{ field: 'uuid', descending: false }], limit: 100 } as const
  const jobsBefore = (await repositories.jobs.list(all)).records.length

  const late = simulatedVolume()
  const attached = { ...without(late) }
  const storage = createStorage({
    repositories,
    volumes: [
      { name: 'vol1', backend: first.volume },
      { name: 'vol2', backend: attached },
    ],
    onFault: () => undefined,
  })
  onTestFinished(() => storage.close())
  await expect(storage.start()).rejects.toThrow('not mounted')
  await expect(storage.svms.list()).rejects.toThrow('not mounted')
  expect((await repositories.jobs.list(all)).records).toHaveLength(jobsBefore)

  attached.listQtrees = late.listQtrees
  expect(await storage.svms.list()).toHaveLength(1)
})

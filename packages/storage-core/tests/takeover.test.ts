import { simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everything } from '../src/query/query.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { createQtree, MiB, openStorage, setQuota, until } from './open-storage.ts'

describe('a process that replaces a crashed one', () => {
  const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

  /** Opens a process with qt1 and a limit for it, which crashes after the given call of its file system. */
  async function openCrashing(last: 'renameQtree' | 'removeQtree') {
    const [repositories, volume] = [memoryStorageRepositories(), simulatedVolume()]
    const crashedCalls = new Set<string>()
    const { promise: released, resolve: end } = Promise.withResolvers<void>()
    const backend = (one: typeof volume): VolumeBackend => ({
      ...one,
      async [last](...names: [string, string]) {
        if (crashedCalls.size > 0) return one[last](...names)
        await one[last](...names)
        crashedCalls.add(last)
        await released
        throw new Error('died')
      },
    })
    const first = await openStorage({ repositories, volume, backend, leaseSeconds: 0.2, lookSeconds: 3600 })
    onTestFinished(() => end())
    await createQtree(first, 'qt1')
    await first.storage.quotaRules.create({ ...on, type: 'tree', qtree: 'qt1', limits: { spaceHard: MiB } })
    await setQuota(first, true)
    return { first, repositories, volume, hasCrashed: () => crashedCalls.size > 0 }
  }

  it('completes the renaming of a qtree', async () => {
    const { first, repositories, volume, hasCrashed } = await openCrashing('renameQtree')
    const { job } = (await first.storage.qtrees.update(first.vol1.uuid, 1, { name: 'qt2' }))._unsafeUnwrap()
    await until(hasCrashed)
    first.clock.advance(60)
    const second = await openStorage({ repositories, volume, clock: first.clock })
    await until(async () => (await second.storage.jobs.find(job.uuid))._unsafeUnwrap().endedAt !== undefined)
    expect((await second.storage.jobs.find(job.uuid))._unsafeUnwrap()).toMatchObject({ state: 'success' })
    expect(await volume.listQtrees()).toEqual(['qt2'])
    const { records } = await second.storage.qtrees.list({ query: everything, order: [], limit: 10 })
    expect(records.filter(({ name }) => name !== '').map(({ id, name }) => ({ id, name }))).toEqual([
      { id: 1, name: 'qt2' },
    ])
    expect(() => volume.files.write('qt2/f', { size: 2 * MiB })).toThrow()
  })
  it('completes the deletion of a qtree', async () => {
    const { first, repositories, volume, hasCrashed } = await openCrashing('removeQtree')
    const { job } = (await first.storage.qtrees.delete(first.vol1.uuid, 1))._unsafeUnwrap()
    await until(hasCrashed)
    first.clock.advance(60)
    const second = await openStorage({ repositories, volume, clock: first.clock })
    await until(async () => (await second.storage.jobs.find(job.uuid))._unsafeUnwrap().endedAt !== undefined)
    expect((await second.storage.jobs.find(job.uuid))._unsafeUnwrap()).toMatchObject({ state: 'success' })
    expect(await volume.listQtrees()).toEqual([])
    expect(await second.storage.qtrees.count(everything)).toBe(2)
    expect(await second.storage.quotaRules.count(everything)).toBe(1)
  })

  it('continues a split without waiting for its lease when the worker has certainly ended', async () => {
    const [repositories, volume] = [memoryStorageRepositories(), simulatedVolume()]
    const { promise: released, resolve: end } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let slices = 0
    const backend = (one: typeof volume): VolumeBackend => ({
      ...one,
      async unshare(file, slice) {
        slices += 1
        if (slices <= 2) return one.unshare(file, slice)
        reached.resolve()
        await released
        throw new Error('died')
      },
    })
    const hasEnded = async (id: string) => id === 'first'
    const worker = { id: 'first', hasEnded }
    const first = await openStorage({ repositories, volume, backend, worker, splitSliceSize: MiB, lookSeconds: 3600 })
    onTestFinished(() => end())
    volume.files.write('f', { size: 8 * MiB })
    await first.storage.fileClones.create({ ...on, source: 'f', destination: 'c', split: true })
    await reached.promise
    const others = { repositories, volume, clock: first.clock, splitSliceSize: MiB }
    const uncertain = await openStorage({ ...others, lookSeconds: 0.01 })
    await until(async () => (await repositories.splits.owners(first.clock.now())).includes('first'))
    expect(uncertain.emitted.filter(([name]) => name.startsWith('split.'))).toEqual([])
    const certain = await openStorage({ ...others, worker: { id: 'second', hasEnded } })
    await until(() => [...uncertain.emitted, ...certain.emitted].some(([name]) => name === 'split.done'))
    const [progress] = [...uncertain.emitted, ...certain.emitted].filter(([name]) => name === 'split.progress')
    expect(progress?.[1]).toMatchObject({ position: 3 * MiB })
    expect(await repositories.splits.owners(first.clock.now())).toEqual([])
  })

  it('continues a job without waiting for its lease when the worker has certainly ended', async () => {
    const { first, repositories, volume, hasCrashed } = await openCrashing('removeQtree')
    const { job } = (await first.storage.qtrees.delete(first.vol1.uuid, 1))._unsafeUnwrap()
    await until(hasCrashed)
    const [owner] = await repositories.jobs.owners(first.clock.now())
    const worker = { id: 'second', hasEnded: async (id: string) => id === owner }
    const second = await openStorage({ repositories, volume, clock: first.clock, worker })
    await until(async () => (await second.storage.jobs.find(job.uuid))._unsafeUnwrap().endedAt !== undefined)
    expect((await second.storage.jobs.find(job.uuid))._unsafeUnwrap()).toMatchObject({ state: 'success' })
    expect(await volume.listQtrees()).toEqual([])
  })
})

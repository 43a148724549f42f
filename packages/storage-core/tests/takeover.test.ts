import { memoryStorageRepositories } from '@trivium/memory-repositories/storage'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everything } from '../src/query/query.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { createQtree, MiB, openStorage, setQuota, until } from './open-storage.ts'

describe('a process that takes over from one that died in the middle of', () => {
  const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

  /** A process with qt1 and a limit for it, that dies behind the call of its file system that is named. */
  async function died(last: 'renameQtree' | 'removeQtree') {
    const [repositories, volume] = [memoryStorageRepositories(), simulatedVolume()]
    const dead = new Set<string>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const backend = (one: typeof volume): VolumeBackend => ({
      ...one,
      async [last](...names: [string, string]) {
        if (dead.size > 0) return one[last](...names)
        await one[last](...names)
        dead.add(last)
        await over
        throw new Error('died')
      },
    })
    const first = await openStorage({ repositories, volume, backend, leaseSeconds: 0.2, lookSeconds: 3600 })
    onTestFinished(() => end())
    await createQtree(first, 'qt1')
    await first.storage.quotaRules.create({ ...on, type: 'tree', qtree: 'qt1', limits: { spaceHard: MiB } })
    await setQuota(first, true)
    return { first, repositories, volume, isDead: () => dead.size > 0 }
  }

  it('the renaming of a qtree', async () => {
    const { first, repositories, volume, isDead } = await died('renameQtree')
    const { job } = (await first.storage.qtrees.update(first.vol1.uuid, 1, { name: 'qt2' }))._unsafeUnwrap()
    await until(isDead)
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
  it('the removal of a qtree', async () => {
    const { first, repositories, volume, isDead } = await died('removeQtree')
    const { job } = (await first.storage.qtrees.delete(first.vol1.uuid, 1))._unsafeUnwrap()
    await until(isDead)
    first.clock.advance(60)
    const second = await openStorage({ repositories, volume, clock: first.clock })
    await until(async () => (await second.storage.jobs.find(job.uuid))._unsafeUnwrap().endedAt !== undefined)
    expect((await second.storage.jobs.find(job.uuid))._unsafeUnwrap()).toMatchObject({ state: 'success' })
    expect(await volume.listQtrees()).toEqual([])
    expect(await second.storage.qtrees.count(everything)).toBe(2)
    expect(await second.storage.quotaRules.count(everything)).toBe(1)
  })
})

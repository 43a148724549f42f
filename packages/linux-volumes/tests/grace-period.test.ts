import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage, type Job, type Storage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
const EDQUOT = -122

/** Appends to a file until the file system refuses. @returns the number of written bytes */
function fill(path: string, maximum: number): number {
  const block = Buffer.alloc(64 * 1024, 1)
  let file: number | undefined
  let written = 0
  try {
    file = openSync(path, 'a')
    while (written < maximum) {
      written += writeSync(file, block)
      fsyncSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === EDQUOT)) throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return written
}

describe.skipIf(!(await canMount('btrfs')))('a grace period on btrfs', () => {
  let mount: LoopMount
  beforeEach(async () => {
    mount = await mountLoop('btrfs', 320)
  })
  afterEach(() => mount.unmount())

  it('refuses writers after its end, also after a restart, until the usage is below the soft limit', async () => {
    const repositories = memoryStorageRepositories()
    const open = async (): Promise<Storage> => {
      const backend = await openLinuxVolume({ directory: mount.directory })
      const volumes = [{ name: 'vol1', backend }]
      return createStorage({ repositories, volumes, usageSeconds: 0.1, inspectSeconds: 0.2, lookSeconds: 0.05 })
    }
    /** Resolves at the end of the next job that changes what is enforced. */
    const enforced = (storage: Storage) =>
      new Promise<Job>((resolve) => {
        storage.events.on('job.ended', (job) => {
          if (job.task.kind === 'enforce-grace') resolve(job)
        })
      })
    const at = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
    const data = join(mount.directory, 'qt1', 'data')
    const more = join(mount.directory, 'qt1', 'more')

    const first = await open()
    const end = async (job: Job) => expect((await first.jobs.wait(job, 60_000)).state).toBe('success')
    await end((await first.qtrees.create({ ...at, name: 'qt1' }))._unsafeUnwrap().job)
    const limits = { spaceHard: 10 * MiB, spaceSoft: 5 * MiB }
    const rule = { ...at, type: 'tree', qtree: 'qt1', limits, gracePeriodSeconds: 2 } as const
    ;(await first.quotaRules.create(rule))._unsafeUnwrap()
    const { records } = await first.volumes.list({ query: { all: [] }, order: [], limit: 1 })
    const uuid = records[0]?.uuid ?? ''
    await end((await first.volumes.setQuota(uuid, true))._unsafeUnwrap())

    const hardened = enforced(first)
    expect(fill(data, 8 * MiB)).toBe(8 * MiB)
    expect((await hardened).state).toBe('success')
    expect(fill(more, MiB)).toBe(0)
    await first.close()

    const second = await open()
    const states: string[] = []
    second.events.on('quota.state-changed', (_volume, state) => states.push(state))
    await second.start()
    expect(fill(more, MiB)).toBe(0)
    const given = enforced(second)
    rmSync(data)
    expect((await given).state).toBe('success')
    expect(fill(data, 8 * MiB)).toBe(8 * MiB)
    expect(states).toEqual([])
    await second.close()
  })
})

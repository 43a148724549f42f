import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage, type Job, type Storage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
const mountable = { btrfs: await canMount('btrfs'), xfs: await canMount('xfs') }
const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

/** A file without holes, whose bytes compress badly. */
const fill = (path: string, megabytes: number) =>
  execFileSync('dd', ['if=/dev/urandom', `of=${path}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'], { stdio: 'pipe' })

describe.each(['btrfs', 'xfs'] as const)('a volume on %s without free space', (name) => {
  let mount: LoopMount | undefined
  afterEach(async () => {
    await mount?.unmount()
    mount = undefined
  })

  async function open() {
    const mounted = await mountLoop(name, 320)
    mount = mounted
    const backend = await openLinuxVolume({ directory: mounted.directory })
    const refused: string[] = []
    const faults: unknown[] = []
    const storage = createStorage({
      repositories: memoryStorageRepositories(),
      volumes: [{ name: 'vol1', backend }],
      leaseSeconds: 1,
      splitFloor: 0,
      lookSeconds: 0.1,
      onFault: (fault) => faults.push(fault),
    })
    storage.events.on('split.refused', (_split, { reason }) => refused.push(reason))
    await storage.start()
    onTestFinished(() => storage.close())
    return { storage, backend, refused, faults, at: (path: string) => join(mounted.directory, path) }
  }
  const ended = async (storage: Storage, job: Job): Promise<Job> => storage.jobs.wait(job, 60_000)
  const clone = async (storage: Storage, source: string, destination: string) =>
    ended(storage, (await storage.fileClones.create({ ...on, source, destination, split: true }))._unsafeUnwrap())
  const load = async (storage: Storage) => (await storage.nodes.splitLoads())[0]?.current

  it.skipIf(!mountable[name])(
    'keeps a clone intact, and splits it once there is space',
    { timeout: 120_000 },
    async () => {
      const { storage, refused, faults, at } = await open()
      fill(at('source'), 60)
      fill(at('ballast'), 150)
      expect(await clone(storage, 'source', 'clone')).toMatchObject({ state: 'success' })
      await vi.waitFor(() => expect(refused.at(-1)).toMatch(/no space|quota/), { timeout: 60_000, interval: 100 })
      expect(readFileSync(at('clone')).equals(readFileSync(at('source')))).toBe(true)
      expect(await load(storage)).toBeGreaterThan(0)
      rmSync(at('ballast'))
      await vi.waitFor(async () => expect(await load(storage)).toBe(0), { timeout: 60_000, interval: 100 })
      expect(execFileSync('filefrag', ['-s', '-v', at('clone')], { encoding: 'utf8' })).not.toContain('shared')
      expect(readFileSync(at('clone')).equals(readFileSync(at('source')))).toBe(true)
      expect(faults).toEqual([])
    },
  )

  it.skipIf(!mountable[name])(
    'fails a clone without leaving a part of it, and frees its reservation',
    { timeout: 120_000 },
    async () => {
      const { storage, faults, at } = await open()
      fill(at('source'), 4)
      const directory = name === 'btrfs' ? 'qt1' : '.'
      if (name === 'btrfs') {
        await ended(storage, (await storage.qtrees.create({ ...on, name: 'qt1' }))._unsafeUnwrap().job)
        const limits = { spaceHard: 2 * MiB }
        const rule = await storage.quotaRules.create({ ...on, type: 'tree', qtree: 'qt1', limits })
        await ended(storage, rule._unsafeUnwrap().job)
        await ended(storage, (await storage.volumes.setQuota(await uuidOf(storage), true))._unsafeUnwrap())
      }
      expect(() => fill(at(`${directory}/ballast`), 320)).toThrow()
      expect(() => {
        // The remaining space is too small for the large file, but not for small ones.
        for (let index = 0; index < 10_000; index += 1)
          writeFileSync(at(`${directory}/small${index}`), 'x'.repeat(4096))
      }).toThrow()
      let failed: Job | undefined
      let number = 0
      for (; failed === undefined && number < 500; number += 1) {
        const job = await clone(storage, 'source', `${directory}/clone${number}`)
        if (job.state === 'failure') failed = job
      }
      expect(failed?.failure).toEqual({ type: 'clone-failed', message: expect.stringMatching(/space|quota/) })
      const names = readdirSync(at(directory))
      expect(names.filter((other) => other === `clone${number - 1}` || other.startsWith('.clone'))).toEqual([])
      rmSync(at(`${directory}/ballast`))
      for (const other of names.filter((one) => one.startsWith('clone'))) rmSync(at(`${directory}/${other}`))
      await vi.waitFor(async () => expect(await load(storage)).toBe(0), { timeout: 60_000, interval: 100 })
      expect(faults).toEqual([])
    },
  )
})

async function uuidOf(storage: Storage): Promise<string> {
  const { records } = await storage.volumes.list({ query: { all: [] }, order: [], limit: 1 })
  return records[0]?.uuid ?? ''
}

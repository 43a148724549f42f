import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage, type Split, type Storage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
/** In MiB. Eight clones of the file have no room with blocks of their own. */
const FILE_SIZE = 64
const VOLUME_SIZE = 6 * FILE_SIZE
const mountable = { btrfs: await canMount('btrfs'), xfs: await canMount('xfs') }
const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

/** A file without holes, whose bytes compress badly. */
const fill = (path: string, megabytes: number) =>
  execFileSync('dd', ['if=/dev/urandom', `of=${path}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'], { stdio: 'pipe' })

/** The bytes of a file in extents that are shared, and all of its bytes. */
function extentsOf(path: string) {
  const lines = execFileSync('filefrag', ['-s', '-v', '-b4096', path], { encoding: 'utf8' }).split('\n')
  const extents = lines.flatMap((line) => {
    const [, blocks, flags = ''] = /^\s*\d+:[^:]+:[^:]+:\s+(\d+):(.*)$/.exec(line) ?? []
    return blocks === undefined ? [] : [{ bytes: Number(blocks) * 4096, isShared: flags.includes('shared') }]
  })
  const sum = (parts: typeof extents) => parts.reduce((total, { bytes }) => total + bytes, 0)
  return { shared: sum(extents.filter(({ isShared }) => isShared)), total: sum(extents) }
}

describe.each(['btrfs', 'xfs'] as const)('clones on %s', (name) => {
  let mount: LoopMount | undefined
  afterEach(async () => {
    await mount?.unmount()
    mount = undefined
  })

  async function open(splitFloor: string | number = '5%') {
    const mounted = await mountLoop(name, VOLUME_SIZE)
    mount = mounted
    const backend = await openLinuxVolume({ directory: mounted.directory })
    const faults: unknown[] = []
    const refused: string[] = []
    const storage = createStorage({
      repositories: memoryStorageRepositories(),
      volumes: [{ name: 'vol1', backend, splitFloor }],
      leaseSeconds: 1,
      lookSeconds: 0.1,
      splitSliceSize: 8 * MiB,
      onFault: (fault) => faults.push(fault),
    })
    storage.events.on('split.refused', (_split, { reason }) => refused.push(reason))
    await storage.start()
    onTestFinished(() => storage.close())
    return { storage, backend, faults, refused, at: (path: string) => join(mounted.directory, path) }
  }

  async function clone(storage: Storage, destination: string, split = false): Promise<void> {
    const request = { ...on, source: 'source', destination, split }
    const job = (await storage.fileClones.create(request))._unsafeUnwrap()
    expect(await storage.jobs.wait(job, 60_000)).toMatchObject({ state: 'success' })
  }
  const load = async (storage: Storage) => (await storage.nodes.splitLoads())[0]?.current
  const splitsOf = async (storage: Storage): Promise<readonly Split[]> =>
    (await storage.splits.list({ query: { all: [] }, order: [], limit: 10 })).records

  it.skipIf(!mountable[name])('keeps eight clones shared where copies have no room', { timeout: 120_000 }, async () => {
    const { storage, backend, faults, at } = await open()
    fill(at('source'), FILE_SIZE)
    const before = (await backend.space()).used
    for (let index = 0; index < 8; index += 1) await clone(storage, `clone${index}`)
    // Two turns of the search for work, after which an earlier release had begun with the splits.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const grown = (await backend.space()).used - before
    const extents = Array.from({ length: 8 }, (_, index) => extentsOf(at(`clone${index}`)))
    console.info(
      `${name}: 8 clones of ${FILE_SIZE} MiB on ${VOLUME_SIZE} MiB take ${grown} bytes; shared: ${extents.map(({ shared }) => shared / MiB).join(', ')} MiB`,
    )
    expect(grown).toBeLessThan(2 * MiB)
    for (const { shared, total } of extents) expect([shared, total]).toEqual([FILE_SIZE * MiB, FILE_SIZE * MiB])
    expect(await load(storage)).toBe(0)
    expect(await splitsOf(storage)).toEqual([])
    expect(faults).toEqual([])
  })

  it.skipIf(!mountable[name])(
    'splits a clone down to the floor of the volume, and continues once there is space',
    { timeout: 120_000 },
    async () => {
      const { storage, backend, refused, faults, at } = await open()
      fill(at('source'), FILE_SIZE)
      const { size, available } = await backend.space()
      const floor = Math.ceil(size * 0.05)
      // Room for about half of the clone.
      fill(at('ballast'), Math.floor((available - floor - (FILE_SIZE / 2) * MiB) / MiB))
      const least = { available: Number.POSITIVE_INFINITY }
      storage.events.on('split.progress', async () => {
        least.available = Math.min(least.available, (await backend.space()).available)
      })
      await clone(storage, 'clone', true)
      await vi.waitFor(() => expect(refused.length).toBeGreaterThan(1), { timeout: 60_000, interval: 50 })
      expect(refused[0]).toMatch(/bytes available, of which splits leave/)
      const [waiting] = await splitsOf(storage)
      expect(waiting).toMatchObject({ state: 'waiting', reason: refused.at(-1) })
      expect(waiting?.remaining).toBeLessThan(FILE_SIZE * MiB)
      expect(waiting?.remaining).toBeGreaterThan(0)
      expect((await backend.space()).available).toBeGreaterThanOrEqual(floor)
      expect(least.available).toBeGreaterThanOrEqual(floor)
      rmSync(at('ballast'))
      execFileSync('sync', ['-f', at('.')]) // btrfs frees the space with its next commit
      await vi.waitFor(async () => expect(await load(storage)).toBe(0), { timeout: 60_000, interval: 50 })
      expect(extentsOf(at('clone'))).toEqual({ shared: 0, total: FILE_SIZE * MiB })
      execFileSync('cmp', [at('source'), at('clone')])
      expect(faults).toEqual([])
    },
  )

  it.skipIf(!mountable[name])(
    'cancels a split, which keeps what is split and leaves no load and no file',
    { timeout: 120_000 },
    async () => {
      const { storage, backend, faults, at } = await open()
      fill(at('source'), FILE_SIZE)
      const reached = new Promise<Split>((resolve) => storage.events.once('split.progress', resolve))
      const [node] = await storage.nodes.list()
      const reservation = { node: node?.uuid ?? '', reserveSize: FILE_SIZE * MiB, lifetimeSeconds: 600 }
      const token = (await storage.cloneTokens.create(reservation))._unsafeUnwrap()
      await clone(storage, 'clone')
      const requested = (await storage.splits.request({ ...on, path: 'clone', token: token.uuid }))._unsafeUnwrap()
      await reached
      const cancelled = (await storage.splits.cancel(requested?.uuid ?? ''))._unsafeUnwrap()
      expect(cancelled.remaining).toBeGreaterThan(0)
      // The running slice has ended once the process is closed.
      const left = (await storage.cloneTokens.find(token.node.uuid, token.uuid))._unsafeUnwrap()
      expect(left.reserveSize).toBe(cancelled.remaining)
      expect(await load(storage)).toBe(0)
      expect(await splitsOf(storage)).toEqual([])
      await storage.close()
      const { shared, total } = extentsOf(at('clone'))
      expect(total).toBe(FILE_SIZE * MiB)
      expect(shared).toBeLessThan(FILE_SIZE * MiB)
      expect(shared).toBeGreaterThanOrEqual(cancelled.remaining - 8 * MiB)
      const status = await backend.file('clone')
      expect(await backend.fileBlocks({ path: 'clone', identity: status?.identity ?? '' })).toEqual({
        shared,
        unique: total - shared,
      })
      expect(readdirSync(at('.')).toSorted()).toEqual(['clone', 'source'])
      execFileSync('cmp', [at('source'), at('clone')])
      expect(faults).toEqual([])
    },
  )
})

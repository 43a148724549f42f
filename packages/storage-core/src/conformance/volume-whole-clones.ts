import type { VolumeBackend, VolumeClones } from '@trivium/storage-core/ports'
import { describe, expect, it } from 'vitest'
import type { OpenVolume, VolumeHarness } from './volume-harness.ts'

const MI_B = 2 ** 20
const { signal } = new AbortController()

interface CloneableVolume {
  readonly backend: VolumeBackend
  readonly clones: VolumeClones
  readonly inClone: NonNullable<VolumeHarness['inClone']>
}
/** A volume with a file, and with a qtree that has a file. `undefined` where the volume cannot be cloned. */
async function openCloneable(open: OpenVolume): Promise<(VolumeHarness & CloneableVolume) | undefined> {
  const harness = await open()
  const { backend, users, write, inClone } = harness
  const clones = backend.volumeClones
  if (!clones) return undefined
  if (!inClone) throw new Error('The harness of a volume with clones needs inClone')
  await backend.createQtree('qt1', { unixPermissions: 777 })
  await write('plain', MI_B, users[0])
  await write('qt1/file', 8 * MI_B, users[1])
  return { ...harness, clones, inClone }
}
const newClone = (name: string) => ({ id: crypto.randomUUID(), name })
const sizeOf = async (backend: VolumeBackend, path: string) => (await backend.file(path))?.size
const limits = (megabytes: number) =>
  [{ target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: megabytes * MI_B } }] as const
const treeSpace = async (backend: VolumeBackend) =>
  (await backend.usage()).find(({ target }) => target.kind === 'tree' && target.qtree === 'qt1')?.space

/** Registers Vitest cases for clones of whole volumes, a part of `volumeBackendConformance`. */
export function volumeWholeClonesConformance(open: OpenVolume): void {
  describe('cloning of the whole volume', { timeout: 60_000 }, () => {
    it('shares the blocks of every file, and clones the qtrees', async () => {
      const harness = await openCloneable(open)
      if (!harness) return
      const { backend, clones, inClone, contents } = harness
      const { used } = await backend.space()
      const clone = newClone('clone1')
      const cloned = await clones.create(clone)
      expect((await backend.space()).used - used).toBeLessThan(2 * MI_B)
      expect(await cloned.listQtrees()).toEqual(['qt1'])
      expect(await cloned.capabilities()).toEqual(await backend.capabilities())
      for (const path of ['plain', 'qt1/file']) {
        const file = await cloned.file(path)
        expect(file?.size).toBe(await sizeOf(backend, path))
        expect(await inClone(clone).contents(path)).toBe(await contents(path))
        const blocks = await cloned.fileBlocks({ path, identity: file?.identity ?? '' })
        expect(blocks).toEqual({ shared: file?.size, unique: 0 })
      }
    })

    it('keeps a clone and the volume independent of each other', async () => {
      const harness = await openCloneable(open)
      if (!harness) return
      const { backend, clones, inClone, write, users } = harness
      const clone = newClone('clone1')
      const cloned = await clones.create(clone)
      await write('qt1/file', MI_B, users[1])
      await inClone(clone).write('plain', MI_B, users[0])
      await cloned.renameQtree('qt1', 'renamed')
      await backend.createQtree('qt2', { unixPermissions: 755 })
      expect(await sizeOf(cloned, 'renamed/file')).toBe(8 * MI_B)
      expect(await sizeOf(backend, 'qt1/file')).toBe(9 * MI_B)
      expect(await sizeOf(cloned, 'plain')).toBe(2 * MI_B)
      expect(await sizeOf(backend, 'plain')).toBe(MI_B)
      expect(await cloned.listQtrees()).toEqual(['renamed'])
      expect((await backend.listQtrees()).toSorted()).toEqual(['qt1', 'qt2'])
    })

    it('gives a clone limits and a usage of its own', async () => {
      const harness = await openCloneable(open)
      if (!harness) return
      const { backend, clones, inClone, write, users } = harness
      await backend.enableQuota(limits(10), { signal })
      const before = await treeSpace(backend)
      const clone = newClone('clone1')
      const cloned = await clones.create(clone)
      expect(await inClone(clone).write('qt1/more', 8 * MI_B, users[1])).toBe('written')
      expect(await treeSpace(backend)).toBe(before)
      expect(await write('qt1/more', 8 * MI_B, users[1])).toBe('refused')
      await cloned.enableQuota(limits(20), { signal })
      expect(await treeSpace(cloned)).toBeGreaterThanOrEqual(16 * MI_B)
      expect(await inClone(clone).write('qt1/more', 8 * MI_B, users[1])).toBe('refused')
      await cloned.disableQuota()
      const condition = await backend.inspect({ qtrees: ['qt1'], limits: limits(10) })
      expect(condition).toEqual({ state: 'online', enforces: true, missing: [], lost: [] })
    })

    it('creates one clone for one id, and opens it until it is removed', async () => {
      const harness = await openCloneable(open)
      if (!harness) return
      const { backend, clones, inClone, users } = harness
      const [clone, other] = [newClone('clone1'), newClone('clone1')]
      expect(await clones.open(clone)).toBeUndefined()
      await clones.create(clone)
      await inClone(clone).write('own', 4096, users[0])
      for (const found of [await clones.create(clone), await clones.open(clone)]) {
        expect(found && (await sizeOf(found, 'own'))).toBe(4096)
      }
      expect(await clones.open(other)).toBeUndefined()
      await expect(clones.create(other)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'exists' })
      await clones.remove(other)
      expect(await clones.open(clone)).toBeDefined()
      await clones.remove(clone)
      await clones.remove(clone)
      expect(await clones.open(clone)).toBeUndefined()
      expect(await sizeOf(backend, 'qt1/file')).toBe(8 * MI_B)
      const again = await clones.create(other)
      expect(await sizeOf(again, 'own')).toBeUndefined()
    })
  })
}

import { describe, expect, it } from 'vitest'
import { BLOCK_SIZE } from '../volumes/volume-backend.ts'
import { volumeDirectoryClonesConformance } from './volume-directory-clones.ts'
import type { OpenVolume, VolumeHarness } from './volume-harness.ts'

const MI_B = 2 ** 20
const { signal } = new AbortController()

/**
 * Registers Vitest cases for clones of files and directories and for splits, a part of `volumeBackendConformance`. They check that a file system
 * without clones refuses them.
 */
export function volumeClonesConformance(open: OpenVolume): void {
  /** Opens a volume whose file system clones. Checks that any other refuses. */
  const openCloning = async (): Promise<VolumeHarness | undefined> => {
    const harness = await open()
    expect(await harness.write('source', 8 * MI_B, harness.users[0])).toBe('written')
    if ((await harness.backend.capabilities()).clones) return harness
    const request = { source: 'source', destination: 'clone', overwrite: false }
    await expect(harness.backend.cloneFile({ id: crypto.randomUUID(), ...request })).rejects.toMatchObject({
      reason: 'unsupported',
    })
    return undefined
  }

  const splitWhole = async ({ backend }: VolumeHarness, path: string, identity: string, maximum: number) => {
    let position = 0
    let unshared = 0
    const slices: number[] = []
    for (let done = false; !done; ) {
      const slice = await backend.unshare({ path, identity }, { position, maximum, signal })
      if (!slice) throw new Error('The file does not exist')
      slices.push(slice.unshared)
      unshared += slice.unshared
      ;({ position, done } = slice)
    }
    return { unshared, slices }
  }

  describe('file cloning', () => {
    it('shares every block until the clone is split, slice by slice', { timeout: 60_000 }, async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, contents } = harness
      const before = await backend.space()
      const { identity, size } = await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'source',
        destination: 'clone',
        overwrite: false,
      })
      expect(size).toBe(8 * MI_B)
      expect(await contents('clone')).toBe(await contents('source'))
      expect((await backend.fileBlocks({ path: 'clone', identity }))?.shared).toBe(8 * MI_B)
      expect((await backend.space()).used - before.used).toBeLessThan(MI_B)
      const { unshared, slices } = await splitWhole(harness, 'clone', identity, 3 * MI_B)
      expect(unshared).toBe(8 * MI_B)
      expect(slices.every((slice) => slice <= 3 * MI_B)).toBe(true)
      expect(slices.length).toBeGreaterThanOrEqual(3)
      expect((await backend.fileBlocks({ path: 'clone', identity }))?.shared).toBe(0)
      expect(await contents('clone')).toBe(await contents('source'))
      expect((await backend.space()).used - before.used).toBeGreaterThan(7 * MI_B)
    })

    it('keeps holes', { timeout: 60_000 }, async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend } = harness
      await harness.writeSparse('sparse', 64 * MI_B)
      const { identity } = await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'sparse',
        destination: 'clone',
        overwrite: false,
      })
      const before = await backend.space()
      const { unshared } = await splitWhole(harness, 'clone', identity, 16 * MI_B)
      expect(unshared).toBeLessThan(MI_B)
      expect((await backend.space()).used - before.used).toBeLessThan(8 * MI_B)
    })

    it('continues a split where an earlier process stopped', { timeout: 60_000 }, async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend } = harness
      const { identity } = await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'source',
        destination: 'clone',
        overwrite: false,
      })
      const file = { path: 'clone', identity }
      const first = await backend.unshare(file, { position: 0, maximum: 2 * MI_B, signal })
      expect(first).toMatchObject({ unshared: 2 * MI_B, done: false })
      const { unshared } = await splitWhole(harness, 'clone', identity, 64 * MI_B)
      expect(unshared).toBe(6 * MI_B)
    })

    it('replaces a file only with `overwrite`', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, write, users, contents } = harness
      await write('taken', 4096, users[1])
      const request = { source: 'source', destination: 'taken' }
      await expect(backend.cloneFile({ id: crypto.randomUUID(), ...request, overwrite: false })).rejects.toMatchObject({
        name: 'VolumeRefusal',
        reason: 'exists',
      })
      expect((await backend.file('taken'))?.size).toBe(4096)
      await backend.cloneFile({ id: crypto.randomUUID(), ...request, overwrite: true })
      expect(await contents('taken')).toBe(await contents('source'))
    })

    it('clones ranges to a new file and to an existing file', { timeout: 60_000 }, async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend } = harness
      const range = { sourceOffset: 16 * BLOCK_SIZE, destinationOffset: 4 * BLOCK_SIZE, length: 8 * BLOCK_SIZE }
      const fresh = await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'source',
        destination: 'new',
        ranges: [range],
        overwrite: false,
      })
      expect(fresh.size).toBe(12 * BLOCK_SIZE)
      expect((await backend.file('new'))?.size).toBe(12 * BLOCK_SIZE)
      expect((await backend.fileBlocks({ path: 'new', identity: fresh.identity }))?.shared).toBe(8 * BLOCK_SIZE)
      const again = { ...range, destinationOffset: 20 * BLOCK_SIZE }
      await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'source',
        destination: 'new',
        ranges: [again],
        overwrite: true,
      })
      expect((await backend.file('new'))?.size).toBe(28 * BLOCK_SIZE)
    })

    it('clones a range within one file, and splits it', { timeout: 60_000 }, async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend } = harness
      const range = { sourceOffset: 0, destinationOffset: 8 * MI_B, length: MI_B }
      const request = { source: 'source', destination: 'source', ranges: [range], overwrite: true }
      const { identity, size } = await backend.cloneFile({ id: crypto.randomUUID(), ...request })
      expect(size).toBe(9 * MI_B)
      expect((await backend.fileBlocks({ path: 'source', identity }))?.shared).toBeGreaterThanOrEqual(2 * MI_B)
      await splitWhole(harness, 'source', identity, 3 * MI_B)
      expect((await backend.fileBlocks({ path: 'source', identity }))?.shared).toBe(0)
    })

    it('clones a last block that the source fills in part', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, write, users } = harness
      await write('odd', BLOCK_SIZE + 10, users[0])
      const range = { sourceOffset: BLOCK_SIZE, destinationOffset: 0, length: 10 }
      const request = { id: crypto.randomUUID(), source: 'odd', destination: 'end', ranges: [range], overwrite: false }
      expect(await backend.cloneFile(request)).toMatchObject({ size: 10 })
    })

    it('creates one clone for one id until that is forgotten', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, write, users, contents } = harness
      const request = { id: crypto.randomUUID(), source: 'source', destination: 'clone', overwrite: false }
      const first = await backend.cloneFile(request)
      expect(await backend.cloneFile(request)).toEqual(first)
      await backend.forgetClone(request)
      await backend.forgetClone(request)
      await expect(backend.cloneFile(request)).rejects.toMatchObject({ reason: 'exists' })
      expect(await contents('clone')).toBe(await contents('source'))
      await write('of-others', 4096, users[1])
      const late = { id: crypto.randomUUID(), source: 'source', destination: 'of-others', overwrite: false }
      await expect(backend.cloneFile(late)).rejects.toMatchObject({ reason: 'exists' })
      await expect(backend.cloneFile(late)).rejects.toMatchObject({ reason: 'exists' })
      expect((await backend.file('of-others'))?.size).toBe(4096)
      const range = { sourceOffset: 0, destinationOffset: 0, length: 2 * BLOCK_SIZE }
      const part = { id: crypto.randomUUID(), source: 'source', destination: 'part', ranges: [range], overwrite: false }
      const { identity } = await backend.cloneFile(part)
      expect(await backend.cloneFile(part)).toMatchObject({ identity })
      await backend.forgetClone({ id: crypto.randomUUID(), destination: 'absent/part' })
    })

    it('leaves no part of a new file when a range is outside the source', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend } = harness
      const range = { sourceOffset: 8 * MI_B, destinationOffset: 0, length: BLOCK_SIZE }
      const request = { id: crypto.randomUUID(), source: 'source', destination: 'part', ranges: [range] }
      await expect(backend.cloneFile({ ...request, overwrite: false })).rejects.toMatchObject({ name: 'VolumeRefusal' })
      expect(await backend.file('part')).toBeUndefined()
    })

    it('returns `undefined` for a clone when another file has its path', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, write, users, remove } = harness
      const { identity } = await backend.cloneFile({
        id: crypto.randomUUID(),
        source: 'source',
        destination: 'clone',
        overwrite: false,
      })
      await remove('clone')
      await write('later', 4096, users[0])
      await write('clone', 4096, users[0])
      const file = { path: 'clone', identity }
      expect((await backend.fileBlocks(file))?.shared).toBeUndefined()
      expect(await backend.unshare(file, { position: 0, maximum: MI_B, signal })).toBeUndefined()
      expect((await backend.fileBlocks({ path: 'absent', identity }))?.shared).toBeUndefined()
    })

    it('refuses a source or a destination that is not a file', async () => {
      const harness = await openCloning()
      if (!harness) return
      const { backend, makeDirectory } = harness
      await makeDirectory('directory')
      const clone = (source: string, destination: string) =>
        backend.cloneFile({ id: crypto.randomUUID(), source, destination, overwrite: true })
      await expect(clone('absent', 'x')).rejects.toMatchObject({ reason: 'not-found' })
      await expect(clone('source', 'absent/x')).rejects.toMatchObject({ reason: 'not-found' })
      await expect(clone('directory', 'x')).rejects.toMatchObject({ reason: 'not-a-file' })
      await expect(clone('source', 'directory')).rejects.toMatchObject({ reason: 'not-a-file' })
      expect(await backend.file('x')).toBeUndefined()
    })
  })

  volumeDirectoryClonesConformance(open)
}

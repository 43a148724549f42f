import { describe, expect, it } from 'vitest'
import type { OpenVolume, VolumeHarness } from './volume-harness.ts'

const MI_B = 2 ** 20
const { signal } = new AbortController()
const bounds = { maximumEntries: 100, maximumDepth: 10, signal }
const directoryRequest = (source: string, destination: string) => ({
  id: crypto.randomUUID(),
  source,
  destination,
  ...bounds,
})
/** A volume with a directory of a file, a directory in it, and a link that leads out of the volume. */
async function openDirectory(open: OpenVolume): Promise<VolumeHarness | undefined> {
  const harness = await open()
  const { backend, users, write, makeDirectory, link } = harness
  await write('projects/source', 8 * MI_B, users[0])
  await makeDirectory('projects/empty')
  await write('projects/inner/deep', MI_B, users[1])
  await link('projects/inner/out', '/etc/passwd')
  if ((await backend.capabilities()).clones) return harness
  await expect(backend.cloneDirectory(directoryRequest('projects', 'clone'))).rejects.toMatchObject({
    reason: 'unsupported',
  })
  return undefined
}
const used = async ({ backend }: VolumeHarness) => (await backend.space()).used

/** Registers Vitest cases for clones of directories, a part of `volumeClonesConformance`. */
export function volumeDirectoryClonesConformance(open: OpenVolume): void {
  describe('directory cloning', () => {
    it('shares the blocks of every file, and takes no space', { timeout: 60_000 }, async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend, contents, write, users } = harness
      const before = await used(harness)
      const { identity } = await backend.cloneDirectory(directoryRequest('projects', 'clone'))
      expect((await used(harness)) - before).toBeLessThan(MI_B)
      expect(await backend.file('clone')).toMatchObject({ kind: 'directory', identity })
      expect(await backend.file('clone/empty')).toMatchObject({ kind: 'directory' })
      for (const [path, size] of [
        ['source', 8 * MI_B],
        ['inner/deep', MI_B],
      ] as const) {
        expect(await contents(`clone/${path}`)).toBe(await contents(`projects/${path}`))
        const file = await backend.file(`clone/${path}`)
        expect(file?.size).toBe(size)
        const blocks = await backend.fileBlocks({ path: `clone/${path}`, identity: file?.identity ?? '' })
        expect(blocks).toEqual({ shared: size, unique: 0 })
      }
      await write('clone/source', 4096, users[0])
      expect((await backend.file('projects/source'))?.size).toBe(8 * MI_B)
    })

    it('creates one clone for one id until that is forgotten', async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend } = harness
      const request = directoryRequest('projects', 'clone')
      const first = await backend.cloneDirectory(request)
      expect(await backend.cloneDirectory(request)).toEqual(first)
      await backend.forgetClone(request)
      await backend.forgetClone(request)
      await expect(backend.cloneDirectory(request)).rejects.toMatchObject({ reason: 'exists' })
      await backend.forgetClone(directoryRequest('projects', 'absent/clone'))
    })

    it('refuses more entries or levels than the bounds, and leaves no part of the clone', async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend } = harness
      const before = await used(harness)
      const tooLarge = { name: 'VolumeRefusal', reason: 'too-large' }
      const request = directoryRequest('projects', 'clone')
      await expect(backend.cloneDirectory({ ...request, maximumEntries: 4 })).rejects.toMatchObject(tooLarge)
      await expect(backend.cloneDirectory({ ...request, maximumDepth: 1 })).rejects.toMatchObject(tooLarge)
      expect(await backend.file('clone')).toBeUndefined()
      expect(await backend.file(`.clone-${request.id}`)).toBeUndefined()
      expect((await used(harness)) - before).toBeLessThan(MI_B)
      await backend.cloneDirectory({ ...request, maximumEntries: 5, maximumDepth: 2 })
    })

    it('ends without a part of the clone when the signal aborts', async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend } = harness
      const request = directoryRequest('projects', 'clone')
      const stopped = AbortSignal.abort(new Error('stopped'))
      await expect(backend.cloneDirectory({ ...request, signal: stopped })).rejects.toThrow('stopped')
      expect(await backend.file('clone')).toBeUndefined()
      expect(await backend.file(`.clone-${request.id}`)).toBeUndefined()
    })

    it('refuses paths that are absent, taken, not a directory, or inside the source', async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend, link } = harness
      const refusal = (source: string, destination: string) =>
        backend.cloneDirectory(directoryRequest(source, destination)).then(
          () => 'cloned',
          (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
        )
      expect(await refusal('absent', 'clone')).toBe('not-found')
      expect(await refusal('projects', 'absent/clone')).toBe('not-found')
      expect(await refusal('projects/source', 'clone')).toBe('not-a-directory')
      expect(await refusal('projects', 'projects/empty')).toBe('exists')
      expect(await refusal('projects', 'projects/source')).toBe('exists')
      expect(await refusal('projects', 'projects/inner/clone')).toBe('failed')
      await link('name', 'projects')
      expect(await refusal('name', 'clone')).toBe('not-a-directory')
      expect(await backend.file('clone')).toBeUndefined()
      expect(await backend.file('projects/inner/clone')).toBeUndefined()
    })
  })
}

/** Registers Vitest cases for the quotas of cloned directories, a part of `volumeBackendConformance`. */
export function volumeClonedQuotasConformance(open: OpenVolume): void {
  describe('quotas of cloned directories', () => {
    it('clones a qtree to an ordinary directory, which counts where it is', { timeout: 60_000 }, async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend, write, users } = harness
      await backend.createQtree('qt1', { unixPermissions: 777 })
      await backend.createQtree('qt2', { unixPermissions: 777 })
      await write('qt1/file', 2 * MI_B, users[0])
      await backend.enableQuota(
        ['qt1', 'qt2'].map((qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: 32 * MI_B } })),
        { signal },
      )
      await backend.cloneDirectory(directoryRequest('qt1', 'outside'))
      await backend.cloneDirectory(directoryRequest('qt1', 'qt2/clone'))
      expect((await backend.listQtrees()).toSorted()).toEqual(['qt1', 'qt2'])
      const usage = await backend.usage()
      const spaceOf = (qtree: string) =>
        usage.find(({ target }) => target.kind === 'tree' && target.qtree === qtree)?.space ?? 0
      for (const qtree of ['qt1', 'qt2']) {
        expect(spaceOf(qtree)).toBeGreaterThanOrEqual(2 * MI_B)
        expect(spaceOf(qtree)).toBeLessThan(3 * MI_B)
      }
    })

    it('refuses a clone above the limit of a qtree, and leaves no part of it', { timeout: 60_000 }, async () => {
      const harness = await openDirectory(open)
      if (!harness) return
      const { backend, makeDirectory } = harness
      await backend.createQtree('qt1', { unixPermissions: 777 })
      await makeDirectory('qt1/inner')
      const limit = { target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: 4 * MI_B } } as const
      await backend.enableQuota([limit], { signal })
      const request = directoryRequest('projects', 'qt1/inner/clone')
      await expect(backend.cloneDirectory(request)).rejects.toMatchObject({ reason: 'quota-exceeded' })
      expect(await backend.file('qt1/inner/clone')).toBeUndefined()
      expect(await backend.file(`qt1/inner/.clone-${request.id}`)).toBeUndefined()
      await backend.changeLimits({ clear: [], set: [{ ...limit, limits: { spaceHard: 16 * MI_B } }] })
      await backend.cloneDirectory(request)
      expect(await backend.file('qt1/inner/clone/source')).toMatchObject({ size: 8 * MI_B })
    })
  })
}

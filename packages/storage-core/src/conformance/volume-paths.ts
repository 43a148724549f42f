import { describe, expect, it } from 'vitest'
import type { OpenVolume } from './volume-harness.ts'

/**
 * Registers Vitest cases for paths, including links that lead out of the volume. A part of `volumeBackendConformance`.
 */
export function volumePathsConformance(open: OpenVolume): void {
  describe('path resolution of a volume', () => {
    it('finds files and directories, and returns `undefined` for absent paths', async () => {
      const { backend, write, users, makeDirectory } = await open()
      await makeDirectory('d')
      await write('d/f', 5000, users[0])
      expect(await backend.file('d/f')).toEqual({ kind: 'file', size: 5000, identity: expect.any(String) })
      expect(await backend.file('d')).toMatchObject({ kind: 'directory' })
      expect(await backend.file('d/absent')).toBeUndefined()
      expect(await backend.file('d/f/below')).toBeUndefined()
    })

    it('refuses names of more than 255 bytes', async () => {
      const { backend, write, users } = await open()
      const name = 'ä'.repeat(128)
      expect(await backend.file(name)).toBeUndefined()
      if (!(await backend.capabilities()).clones) return
      await write('f', 4096, users[0])
      const clone = (destination: string) =>
        backend.cloneFile({ id: crypto.randomUUID(), source: 'f', destination, overwrite: false })
      await expect(clone(name)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'not-found' })
      await expect(clone(`${name}/c`)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'not-found' })
      expect(await clone(name.slice(1))).toMatchObject({ size: 4096 })
    })

    it.each([
      ['an absolute link', '/etc'],
      ['a link upwards', '../..'],
      ['a link upwards and back', 'd/../../etc'],
    ])('refuses to leave the volume through %s', async (_, target) => {
      const { backend, write, users, makeDirectory, link } = await open()
      await makeDirectory('d')
      await write('f', 4096, users[0])
      await link('out', target)
      const outside = { name: 'VolumeRefusal', reason: 'outside-volume' }
      await expect(backend.file('out/passwd')).rejects.toMatchObject(outside)
      if (!(await backend.capabilities()).clones) return
      const clone = (source: string, destination: string) =>
        backend.cloneFile({ id: crypto.randomUUID(), source, destination, overwrite: true })
      await expect(clone('out/passwd', 'd/copy')).rejects.toMatchObject(outside)
      await expect(clone('f', 'out/copy')).rejects.toMatchObject(outside)
    })

    it('refuses to write through a link', async () => {
      const { backend, write, users, link, contents } = await open()
      if (!(await backend.capabilities()).clones) return
      await write('f', 8192, users[0])
      await write('g', 4096, users[0])
      await link('link', 'g')
      const before = await contents('g')
      const request = { source: 'f', destination: 'link', overwrite: true }
      await expect(backend.cloneFile({ id: crypto.randomUUID(), ...request })).rejects.toMatchObject({
        name: 'VolumeRefusal',
      })
      expect(await contents('g')).toBe(before)
    })
  })
}

import { describe, expect, it } from 'vitest'
import type { OpenVolume } from './volume-harness.ts'

const settings = { unixPermissions: 777 }

export function volumeQtreesConformance(open: OpenVolume): void {
  describe('qtree management of a volume', () => {
    it('creates, lists, renames and removes qtrees, and accepts each call twice', async () => {
      const { backend, write, users, contents } = await open()
      if (!(await backend.capabilities()).qtrees) {
        await expect(backend.createQtree('a', settings)).rejects.toMatchObject({ reason: 'unsupported' })
        return
      }
      expect(await backend.listQtrees()).toEqual([])
      for (const name of ['a', 'b', 'a']) await backend.createQtree(name, settings)
      expect((await backend.listQtrees()).toSorted()).toEqual(['a', 'b'])
      expect(await write('a/f', 4096, users[0])).toBe('written')
      const before = await contents('a/f')
      for (let times = 0; times < 2; times += 1) await backend.renameQtree('a', 'c')
      expect((await backend.listQtrees()).toSorted()).toEqual(['b', 'c'])
      expect(await contents('c/f')).toBe(before)
      for (let times = 0; times < 2; times += 1) await backend.removeQtree('c')
      expect(await backend.listQtrees()).toEqual(['b'])
      expect(await backend.file('c')).toBeUndefined()
    })

    it('treats no plain directory as a qtree', async () => {
      const { backend, makeDirectory } = await open()
      if (!(await backend.capabilities()).qtrees) return
      await makeDirectory('plain')
      expect(await backend.listQtrees()).toEqual([])
      await expect(backend.createQtree('plain', settings)).rejects.toMatchObject({
        name: 'VolumeRefusal',
        reason: 'exists',
      })
    })

    it('keeps the limit of a qtree that is renamed', async () => {
      const { backend, write, users } = await open()
      if (!(await backend.capabilities()).qtrees) return
      await backend.createQtree('a', settings)
      const limit = { target: { kind: 'tree', qtree: 'a' }, limits: { spaceHard: 4 * 2 ** 20 } } as const
      if ((await backend.unsupported([limit])).length > 0) return
      await backend.enableQuota([limit], { signal: new AbortController().signal })
      await backend.renameQtree('a', 'b')
      expect(await write('b/f', 8 * 2 ** 20, users[0])).toBe('refused')
    })
  })
}

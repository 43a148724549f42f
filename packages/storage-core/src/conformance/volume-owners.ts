import { describe, expect, it } from 'vitest'
import type { OpenVolume } from './volume-harness.ts'

const settings = { unixPermissions: 777 }
const KiB = 1024
const signal = new AbortController().signal

/** Registers Vitest cases for who owns the files in qtrees. A backend that knows its users in each qtree has none. */
export function volumeOwnersConformance(open: OpenVolume): void {
  describe('the volume that counts owners of files in qtrees', () => {
    it('counts them for the named qtrees that exist', async () => {
      const { backend, write, users } = await open()
      const { qtrees, usersPerQtree } = await backend.capabilities()
      if (!qtrees || usersPerQtree || !backend.countTreeOwners) return
      for (const name of ['a', 'b', 'c']) await backend.createQtree(name, settings)
      const [one, other] = users
      await write('a/f', 256 * KiB, one)
      await write('a/g', 64 * KiB, other)
      await write('b/f', 64 * KiB, other)
      await write('c/f', 64 * KiB, one)
      const usage = await backend.countTreeOwners(['a', 'absent', 'b'], signal)
      const owned = usage.flatMap(({ target, space, files }) =>
        target.kind === 'user' && target.user.id !== '0' ? [[target.qtree, target.user, space, files] as const] : [],
      )
      expect(owned).toHaveLength(3)
      expect(owned).toEqual(
        expect.arrayContaining([
          ['a', one, 256 * KiB, 1],
          ['a', other, 64 * KiB, 1],
          ['b', other, 64 * KiB, 1],
        ]),
      )
    })

    it('ends the count when the signal aborts', async () => {
      const { backend, write, users } = await open()
      const { qtrees, usersPerQtree } = await backend.capabilities()
      if (!qtrees || usersPerQtree || !backend.countTreeOwners) return
      await backend.createQtree('a', settings)
      await write('a/f', 4 * KiB, users[0])
      const ending = new AbortController()
      const counting = backend.countTreeOwners(['a'], ending.signal)
      ending.abort()
      await expect(counting).rejects.toThrow()
    })
  })
}

import { describe, expect, it } from 'vitest'
import { type Size, toSize } from '../sizes/size.ts'
import type { EnforcedLimit } from '../volumes/volume-backend.ts'
import type { OpenVolume } from './volume-harness.ts'

const MI_B = 2 ** 20
const { signal } = new AbortController()
const qtrees = ['qt1', 'qt2']
const settings = { unixPermissions: 777 }
const asExpected = { state: 'online', enforces: true, missing: [], lost: [] }

const limitOf = (qtree: string, megabytes: number): EnforcedLimit => ({
  target: { kind: 'tree', qtree },
  limits: { spaceHard: megabytes * MI_B },
})

export function volumeConditionConformance(open: OpenVolume): void {
  describe('volume inspection', () => {
    const limits = qtrees.map((qtree) => limitOf(qtree, 4))
    const expected = { qtrees, limits }
    /** Returns `undefined` for a file system that does not support such limits. */
    const openLimited = async () => {
      const harness = await open()
      const { backend } = harness
      if (!(await backend.capabilities()).qtrees || (await backend.unsupported(limits)).length > 0) return undefined
      for (const qtree of qtrees) await backend.createQtree(qtree, settings)
      await backend.enableQuota(limits, { signal })
      return harness
    }

    it('finds the expected state while only the backend changes the file system', { timeout: 60_000 }, async () => {
      const harness = await openLimited()
      if (!harness) return
      const { backend } = harness
      expect(await backend.inspect(expected)).toEqual(asExpected)
      await backend.changeLimits({ clear: [], set: [limitOf('qt1', 8)] })
      expect(await backend.inspect({ qtrees, limits: [limitOf('qt1', 8), limitOf('qt2', 4)] })).toEqual(asExpected)
      await backend.renameQtree('qt2', 'qt3')
      const renamed = { qtrees: ['qt1', 'qt3'], limits: [limitOf('qt1', 8), limitOf('qt3', 4)] }
      expect(await backend.inspect(renamed)).toEqual(asExpected)
      await backend.disableQuota()
      expect(await backend.inspect({ qtrees: ['qt1', 'qt3'], limits: [] })).toEqual(asExpected)
    })

    it('reports limits that are different or absent', { timeout: 60_000 }, async () => {
      const harness = await openLimited()
      if (!harness) return
      const { backend } = harness
      await backend.changeLimits({ clear: [{ kind: 'tree', qtree: 'qt2' }], set: [limitOf('qt1', 5)] })
      expect(await backend.inspect(expected)).toEqual({ ...asExpected, lost: limits })
      await backend.changeLimits({ clear: [], set: limits })
      expect(await backend.inspect(expected)).toEqual(asExpected)
    })

    it.each([
      '9007199254740993',
      '9222246136947933184',
      '9223372036854775807',
    ])('distinguishes a limit of %s bytes from a lower one', { timeout: 60_000 }, async (digits) => {
      const spaceHard = BigInt(digits)
      const harness = await openLimited()
      if (!harness) return
      const { backend } = harness
      const limit = (size: Size): EnforcedLimit => ({
        target: { kind: 'tree', qtree: 'qt1' },
        limits: { spaceHard: size },
      })
      if ((await backend.unsupported([limit(spaceHard)])).length > 0) return
      await backend.changeLimits({ clear: [], set: [limit(spaceHard)] })
      expect(await backend.inspect({ qtrees, limits: [limit(spaceHard), limitOf('qt2', 4)] })).toEqual(asExpected)
      const other = limit(toSize(spaceHard - 65_536n))
      expect(await backend.inspect({ qtrees, limits: [other] })).toEqual({ ...asExpected, lost: [other] })
      await backend.enableQuota([other], { signal })
      expect(await backend.inspect({ qtrees, limits: [other] })).toEqual(asExpected)
    })

    it('reports missing qtrees, whose limits are accepted and not enforced', { timeout: 60_000 }, async () => {
      const harness = await openLimited()
      if (!harness) return
      const { backend, host, write, users } = harness
      await host.removeQtree('qt1')
      expect(await backend.inspect(expected)).toEqual({ ...asExpected, missing: ['qt1'] })
      await backend.disableQuota()
      await backend.enableQuota(limits, { signal })
      await backend.changeLimits({ clear: [], set: [limitOf('qt1', 2)] })
      expect(await write('qt2/a', 8 * MI_B, users[0])).toBe('refused')
      await backend.createQtree('qt1', settings)
      expect(await backend.inspect(expected)).toMatchObject({ ...asExpected, lost: [limitOf('qt1', 4)] })
      await backend.changeLimits({ clear: [], set: [limitOf('qt1', 4)] })
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('refused')
      expect(await backend.inspect(expected)).toEqual(asExpected)
    })

    it('reports that quotas are off in the file system, and the limits that were lost', {
      timeout: 60_000,
    }, async () => {
      const harness = await openLimited()
      if (!harness) return
      const { backend, host, write, users } = harness
      await host.disableQuotas()
      expect(await backend.inspect(expected)).toEqual({ ...asExpected, enforces: false, lost: limits })
      await host.enableQuotas()
      expect(await backend.inspect(expected)).toEqual({ ...asExpected, lost: limits })
      await backend.changeLimits({ clear: [], set: limits })
      expect(await backend.inspect(expected)).toEqual(asExpected)
      await host.disableQuotas()
      await backend.enableQuota(limits, { signal })
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('refused')
    })

    it('reports `offline` while the file system is not mounted', { timeout: 60_000 }, async () => {
      const { backend, host } = await open()
      await host.unmount()
      expect(await backend.inspect(expected)).toEqual({ state: 'offline', reason: expect.stringMatching(/mounted/) })
      await expect(backend.disableQuota()).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'failed' })
      await expect(backend.space()).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'failed' })
      await host.mount()
      expect(await backend.inspect({ qtrees: [], limits: [] })).toMatchObject({ state: 'online' })
    })

    it('finds the same limits after the file system is mounted again', { timeout: 60_000 }, async () => {
      const harness = await openLimited()
      if (!harness) return
      const { backend, host, write, users } = harness
      await host.unmount()
      await host.mount()
      expect(await backend.inspect(expected)).toEqual(asExpected)
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('refused')
    })
  })
}

import { describe, expect, it } from 'vitest'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { LimitTarget, QuotaUsage, UsageTarget } from '../volumes/volume-backend.ts'
import type { OpenVolume, VolumeHarness } from './volume-harness.ts'

const MI_B = 2 ** 20
const { signal } = new AbortController()

export function volumeQuotasConformance(open: OpenVolume): void {
  /** Opens a volume, with two qtrees where its file system supports them. */
  const openWithQtrees = async () => {
    const harness = await open()
    const { qtrees } = await harness.backend.capabilities()
    if (qtrees) for (const name of ['qt1', 'qt2']) await harness.backend.createQtree(name, { unixPermissions: 777 })
    return harness
  }

  /** Returns whether the limits are supported. Checks that unsupported ones are refused with nothing changed. */
  const supports = async ({ backend }: VolumeHarness, target: LimitTarget, limits: QuotaLimits): Promise<boolean> => {
    const unsupported = await backend.unsupported([{ target, limits }])
    if (unsupported.length === 0) return true
    expect(unsupported).toEqual([{ target, limits: expect.any(Array), reason: expect.stringMatching(/\w/) }])
    const refusal = { name: 'VolumeRefusal', reason: 'unsupported', limits: unsupported }
    await expect(backend.enableQuota([{ target, limits }], { signal })).rejects.toMatchObject(refusal)
    return false
  }

  type Case = readonly [string, (harness: VolumeHarness) => LimitTarget, UsageTarget['kind']]
  const cases: readonly Case[] = [
    ['a qtree', () => ({ kind: 'tree', qtree: 'qt1' }), 'tree'],
    ['a user', ({ users: [user] }) => ({ kind: 'users', users: [{ id: user.id }] }), 'user'],
    ['a user in a qtree', ({ users: [user] }) => ({ kind: 'users', users: [{ id: user.id }], qtree: 'qt1' }), 'user'],
    ['every user', () => ({ kind: 'every-user' }), 'user'],
    ['a group', ({ users: [user] }) => ({ kind: 'group', group: { id: user.id } }), 'group'],
    ['a group in a qtree', ({ users: [user] }) => ({ kind: 'group', group: { id: user.id }, qtree: 'qt1' }), 'group'],
    ['every group', () => ({ kind: 'every-group' }), 'group'],
  ]

  describe.each(cases)('space limit of %s', (_, targetOf, usageKind) => {
    it('stops a writer until it is raised or cleared', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const target = targetOf(harness)
      if (!(await supports(harness, target, { spaceHard: 10 * MI_B }))) return
      await backend.enableQuota([{ target, limits: { spaceHard: 10 * MI_B } }], { signal })
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('written')
      expect(await write('qt1/b', 4 * MI_B, users[0])).toBe('refused')
      const usage = (await backend.usage()).filter(({ target: { kind } }) => kind === usageKind)
      const used = usage.find((one) => namesWriter(one.target, harness))
      expect(used?.space).toBeGreaterThanOrEqual(8 * MI_B)
      expect(used?.space).toBeLessThanOrEqual(10 * MI_B)
      await harness.remove('qt1/b')
      await backend.changeLimits({ clear: [], set: [{ target, limits: { spaceHard: 20 * MI_B } }] })
      expect(await write('qt1/b', 8 * MI_B, users[0])).toBe('written')
      expect(await write('qt1/c', 8 * MI_B, users[0])).toBe('refused')
      await harness.remove('qt1/c')
      await backend.changeLimits({ clear: [target], set: [] })
      expect(await write('qt1/c', 8 * MI_B, users[0])).toBe('written')
      await backend.changeLimits({ clear: [target], set: [] })
    })

    it('counts earlier files, and ends when quotas are switched off', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const target = targetOf(harness)
      if (!(await supports(harness, target, { spaceHard: 10 * MI_B }))) return
      expect(await write('qt1/a', 9 * MI_B, users[0])).toBe('written')
      await backend.enableQuota([{ target, limits: { spaceHard: 10 * MI_B } }], { signal })
      expect(await write('qt1/b', 4 * MI_B, users[0])).toBe('refused')
      await harness.remove('qt1/b')
      for (let times = 0; times < 2; times += 1) await backend.disableQuota()
      expect(await write('qt1/b', 4 * MI_B, users[0])).toBe('written')
      await backend.enableQuota([], { signal })
      expect(await write('qt1/c', 4 * MI_B, users[0])).toBe('written')
    })
  })

  describe.each(cases)('exceeded space limit of %s', (_, targetOf) => {
    it('allows changes of itself and of its qtree', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const target = targetOf(harness)
      if (!(await supports(harness, target, { spaceHard: 10 * MI_B }))) return
      const limited = (megabytes: number) => [{ target, limits: { spaceHard: megabytes * MI_B } }]
      await backend.enableQuota(limited(10), { signal })
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('written')
      for (const megabytes of [4, 2, 6]) await backend.changeLimits({ clear: [], set: limited(megabytes) })
      expect(await write('qt1/b', MI_B, users[0])).toBe('refused')
      await backend.changeLimits({ clear: [target], set: [] })
      expect(await write('qt1/c', MI_B, users[0])).toBe('written')
      await backend.changeLimits({ clear: [], set: limited(4) })
      await backend.disableQuota()
      expect(await write('qt1/d', MI_B, users[0])).toBe('written')
      await backend.enableQuota(limited(4), { signal })
      expect(await write('qt1/e', MI_B, users[0])).toBe('refused')
      const used = (await backend.usage()).find((one) => namesWriter(one.target, harness))
      expect(used?.space).toBeGreaterThanOrEqual(8 * MI_B)
      if (!(await backend.capabilities()).qtrees) return
      await backend.createQtree('qt1', { unixPermissions: 770 })
      await backend.changeQtree('qt1', { unixPermissions: 777 })
      expect(await write('qt1/f', MI_B, users[0])).toBe('refused')
      await backend.renameQtree('qt1', 'qt3')
      expect(await write('qt3/g', MI_B, users[0])).toBe('refused')
      await backend.removeQtree('qt3')
      expect(await backend.listQtrees()).toEqual(['qt2'])
    })
  })

  describe('quota enforcement of a volume', () => {
    it('ends on request while several qtrees are over their limits', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const names = ['qt1', 'qt2'] as const
      const limited = (megabytes: number) =>
        names.map((qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: megabytes * MI_B } }) as const)
      if ((await backend.unsupported(limited(4))).length > 0) return
      await backend.enableQuota([], { signal })
      for (const name of names) expect(await write(`${name}/a`, 8 * MI_B, users[0])).toBe('written')
      await backend.changeLimits({ clear: [], set: limited(4) })
      await backend.enableQuota(limited(2), { signal })
      for (const name of names) expect(await write(`${name}/b`, MI_B, users[0])).toBe('refused')
      await backend.disableQuota()
      for (const name of names) expect(await write(`${name}/c`, MI_B, users[0])).toBe('written')
    })

    it('limits each qtree on its own', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const target = { kind: 'tree', qtree: 'qt1' } as const
      if (!(await supports(harness, target, { spaceHard: 4 * MI_B }))) return
      await harness.backend.enableQuota([{ target, limits: { spaceHard: 4 * MI_B } }], { signal })
      expect(await harness.write('qt2/a', 8 * MI_B, harness.users[0])).toBe('written')
      expect(await harness.write('qt1/a', 8 * MI_B, harness.users[0])).toBe('refused')
    })

    it('replaces earlier limits when it is switched on again', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const target = { kind: 'tree', qtree: 'qt1' } as const
      if (!(await supports(harness, target, { spaceHard: 4 * MI_B }))) return
      await backend.enableQuota([{ target, limits: { spaceHard: 4 * MI_B } }], { signal })
      const other = { kind: 'tree', qtree: 'qt2' } as const
      await backend.enableQuota([{ target: other, limits: { spaceHard: 4 * MI_B } }], { signal })
      expect(await write('qt1/a', 8 * MI_B, users[0])).toBe('written')
      expect(await write('qt2/a', 8 * MI_B, users[0])).toBe('refused')
    })

    it('limits the number of files', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      const target = { kind: 'tree', qtree: 'qt1' } as const
      if (!(await supports(harness, target, { filesHard: 20 }))) return
      await backend.enableQuota([{ target, limits: { filesHard: 20 } }], { signal })
      const outcomes: string[] = []
      for (let number = 0; number < 30; number += 1) outcomes.push(await write(`qt1/f${number}`, 100, users[0]))
      const written = outcomes.filter((outcome) => outcome === 'written').length
      expect(written).toBeGreaterThanOrEqual(18)
      expect(written).toBeLessThanOrEqual(20)
    })

    it('allows writes that exceed only a soft limit', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const target = { kind: 'tree', qtree: 'qt1' } as const
      const limits = { spaceSoft: 2 * MI_B, spaceHard: 8 * MI_B }
      if (!(await supports(harness, target, limits))) return
      await harness.backend.enableQuota([{ target, limits }], { signal })
      expect(await harness.write('qt1/a', 4 * MI_B, harness.users[0])).toBe('written')
    })

    it('shares one limit between several users', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const [first, second] = harness.users
      const target = { kind: 'users', users: [{ id: first.id }, { id: second.id }] } as const
      if (!(await supports(harness, target, { spaceHard: 10 * MI_B }))) return
      await harness.backend.enableQuota([{ target, limits: { spaceHard: 10 * MI_B } }], { signal })
      expect(await harness.write('qt1/a', 6 * MI_B, first)).toBe('written')
      expect(await harness.write('qt1/b', 6 * MI_B, second)).toBe('refused')
    })

    it('returns the needed part of its usage', { timeout: 60_000 }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      if (!(await backend.capabilities()).qtrees) return
      const limits = ['qt1', 'qt2'].map(
        (qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: 64 * MI_B } }) as const,
      )
      if ((await backend.unsupported(limits)).length > 0) return
      await backend.enableQuota(limits, { signal })
      expect(await write('qt1/a', MI_B, users[0])).toBe('written')
      const whole = await backend.usage()
      const one = whole.find(({ target }) => target.kind === 'tree' && target.qtree === 'qt1')
      expect(one?.files).toBe(2)
      const ofQtree = await backend.usage({ owners: false, qtrees: ['qt1'] })
      expect(ofQtree).toContainEqual(one)
      const spaces = (usage: readonly QuotaUsage[]) =>
        usage.flatMap(({ target, space }) => (target.kind === 'tree' ? [[target.qtree, space]] : [])).toSorted()
      expect(spaces(await backend.usage({ owners: false, files: false }))).toEqual(spaces(whole))
      const owners = await backend.usage({ files: false })
      expect(owners.filter(({ target }) => target.kind === 'user').length).toBe(
        whole.filter(({ target }) => target.kind === 'user').length,
      )
    })

    it('sets, changes and clears the limits of many qtrees, also of one above its limit', {
      timeout: 60_000,
    }, async () => {
      const harness = await openWithQtrees()
      const { backend, write, users } = harness
      if (!(await backend.capabilities()).qtrees) return
      const names = ['qt1', 'qt2', 'qt3', 'qt4', 'qt5', 'qt6', 'qt7']
      const limited = (megabytes: number) =>
        names.map((qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: megabytes * MI_B } }) as const)
      if ((await backend.unsupported(limited(8))).length > 0) return
      for (const name of names) await backend.createQtree(name, { unixPermissions: 777 })
      const progress: number[] = []
      await backend.enableQuota(limited(8), { signal, onProgress: (done, total) => progress.push(done / total) })
      expect(progress.at(-1)).toBe(1)
      expect(await write('qt3/a', 4 * MI_B, users[0])).toBe('written')
      await backend.changeLimits({ clear: [], set: limited(2) })
      for (const name of ['qt3', 'qt7']) expect(await write(`${name}/b`, 3 * MI_B, users[0])).toBe('refused')
      const { lost } = { lost: undefined, ...(await backend.inspect({ qtrees: names, limits: limited(2) })) }
      expect(lost).toEqual([])
      await backend.disableQuota()
      for (const name of ['qt3', 'qt7']) expect(await write(`${name}/c`, 3 * MI_B, users[0])).toBe('written')
    })

    it('enforces nothing when the start is aborted', async () => {
      const harness = await openWithQtrees()
      const target = { kind: 'tree', qtree: 'qt1' } as const
      const limits = { spaceHard: 4 * MI_B }
      if (!(await supports(harness, target, limits))) return
      const aborted = AbortSignal.abort()
      await expect(harness.backend.enableQuota([{ target, limits }], { signal: aborted })).rejects.toThrow()
      expect(await harness.write('qt1/a', 8 * MI_B, harness.users[0])).toBe('written')
    })
  })
}

const namesWriter = (target: UsageTarget, { users: [writer] }: VolumeHarness): boolean =>
  target.kind === 'tree'
    ? target.qtree === 'qt1'
    : target.qtree === undefined && (target.kind === 'user' ? target.user.id : target.group.id) === writer.id

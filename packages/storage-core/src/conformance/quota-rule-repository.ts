import { describe, expect, it } from 'vitest'
import type { Position } from '../query/page.ts'
import { everything } from '../query/query.ts'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { QuotaTarget } from '../quota-rules/quota-target.ts'
import { MAXIMUM_SIZE } from '../sizes/size.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aJob, anSvm, aRule, ruleId, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const full: QuotaRule = aRule(1, {
  target: { type: 'user', users: [{ name: 'sam' }, { id: '300010' }, { name: 'smith' }], qtree: 'qt1' },
  qtreeId: 7,
  userMapping: false,
  limits: { spaceHard: MAXIMUM_SIZE, spaceSoft: Number.MAX_SAFE_INTEGER, filesHard: 2 ** 40, filesSoft: 0 },
})

const defaults: QuotaRule = aRule(90, { target: { type: 'tree', qtree: '' } })

export function quotaRuleRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('quota rule repository', () => {
    it('finds a rule as it was added, with its order of users and the largest limits', async () => {
      const { quotaRules } = await openOne(open)
      expect(await quotaRules.add(full)).toEqual({ rule: true, companion: false })
      expect(await quotaRules.find(full.uuid)).toEqual(full)
      expect(await quotaRules.list({ query: everything, order: [], limit: 5 })).toEqual({ records: [full] })
      expect(await quotaRules.listOfVolume(volumeId(1))).toEqual([full])
    })

    it('distinguishes absent fields from empty names', async () => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(defaults)
      const group = aRule(2, { target: { type: 'group', group: { name: '' } } })
      await quotaRules.add(group)
      expect(await quotaRules.find(defaults.uuid)).toEqual(defaults)
      const found = await quotaRules.find(group.uuid)
      expect(found).toEqual(group)
      for (const field of ['qtreeId', 'userMapping']) expect(found).not.toHaveProperty(field)
      expect(found?.target).not.toHaveProperty('qtree')
      expect(found?.limits).toEqual({})
    })

    it('returns copies, not its own records', async () => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(full)
      const found: { limits: object } | undefined = await quotaRules.find(full.uuid)
      if (found) found.limits = {}
      expect(await quotaRules.find(full.uuid)).toEqual(full)
    })

    it('adds a job together with the change that it belongs to, and no job without the change', async () => {
      const { quotaRules, jobs } = await openOne(open)
      await quotaRules.add(aRule(1), undefined, aJob(1))
      expect(await quotaRules.add(aRule(2, { target: aRule(1).target }), defaults, aJob(2))).toMatchObject({
        rule: false,
      })
      await quotaRules.update(ruleId(1), { limits: { spaceHard: 1024 } }, aJob(3))
      await quotaRules.update(ruleId(9), { limits: { spaceHard: 1024 } }, aJob(4))
      await quotaRules.remove(ruleId(1), aJob(5))
      await quotaRules.remove(ruleId(1), aJob(6))
      const { records } = await jobs.list({ query: everything, order: [], limit: 10 })
      expect(records).toEqual([aJob(1), aJob(3), aJob(5)])
    })

    it('adds the default rule once', async () => {
      const { quotaRules } = await openOne(open)
      expect(await quotaRules.add(aRule(1), defaults)).toEqual({ rule: true, companion: true })
      expect(await quotaRules.add(aRule(2), { ...defaults, uuid: ruleId(91) })).toEqual({
        rule: true,
        companion: false,
      })
      expect(await quotaRules.find(defaults.uuid)).toEqual(defaults)
      expect(await quotaRules.count(everything)).toBe(3)
    })

    it('adds the default rule once when many processes add rules at the same time', async () => {
      const of = alternating(await open(4))
      const added = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          of(index).quotaRules.add(aRule(index + 1), { ...defaults, uuid: ruleId(90 + index) }),
        ),
      )
      expect(added.filter(({ rule }) => rule)).toHaveLength(12)
      expect(added.filter(({ companion }) => companion)).toHaveLength(1)
    })

    const conflicts: readonly [string, QuotaTarget, QuotaTarget][] = [
      ['a qtree that has a rule', { type: 'tree', qtree: 'a' }, { type: 'tree', qtree: 'a' }],
      ['a second default tree rule', { type: 'tree', qtree: '' }, { type: 'tree', qtree: '' }],
      ['one of several users of a rule', { type: 'user', users: [{ name: 'a' }, { name: 'b' }] }, user('b')],
      ['users that have a rule in another order', user('a', 'b'), user('b', 'a')],
      ['a user id that has a rule', { type: 'user', users: [{ id: '7' }] }, { type: 'user', users: [{ id: '7' }] }],
      ['a group that has a rule in the qtree', group('g', 'q'), group('g', 'q')],
    ]
    it.each(conflicts)('adds neither the rule nor the default rule for %s', async (_, first, second) => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(aRule(1, { target: first }))
      const companion = aRule(3, { target: group('companion') })
      expect(await quotaRules.add(aRule(2, { target: second }), companion)).toEqual({ rule: false, companion: false })
      expect(await quotaRules.count(everything)).toBe(1)
      expect(await quotaRules.add(aRule(2, { target: second, volume: { uuid: volumeId(2), name: 'vol2' } }))).toEqual({
        rule: true,
        companion: false,
      })
    })

    const distinctTargets: readonly [string, QuotaTarget, QuotaTarget][] = [
      ['names that differ in case', user('a'), user('A')],
      ['names that differ in a space at the end', user('a'), user('a ')],
      ['names that differ in an accent', user('e'), user('é')],
      ['a name and an id', user('7'), { type: 'user', users: [{ id: '7' }] }],
      [
        'a user of the volume and the same user of a qtree',
        user('a'),
        { type: 'user', users: [{ name: 'a' }], qtree: 'q' },
      ],
      ['a user and a group of the same name', user('a'), group('a')],
      ['a qtree and the default tree rule', { type: 'tree', qtree: 'a' }, { type: 'tree', qtree: '' }],
    ]
    it.each(distinctTargets)('keeps two rules for %s', async (_, first, second) => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(aRule(1, { target: first }))
      expect(await quotaRules.add(aRule(2, { target: second }))).toMatchObject({ rule: true })
    })

    it('lets one of many processes add a rule for a target', async () => {
      const of = alternating(await open(4))
      const added = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          of(index).quotaRules.add(aRule(index + 1, { target: user('a', `b${index}`) })),
        ),
      )
      expect(added.filter(({ rule }) => rule)).toHaveLength(1)
      expect(await of(0).quotaRules.count(everything)).toBe(1)
    })

    it('frees the targets of a removed rule', async () => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(full)
      expect(await quotaRules.remove(full.uuid)).toEqual(full)
      expect(await quotaRules.remove(full.uuid)).toBeUndefined()
      expect(await quotaRules.find(full.uuid)).toBeUndefined()
      expect(await quotaRules.add({ ...full, uuid: ruleId(2) })).toMatchObject({ rule: true })
    })

    it('changes the given limits and clears those that are null', async () => {
      const { quotaRules } = await openOne(open)
      await quotaRules.add(full)
      const changed: QuotaRule = {
        ...full,
        userMapping: true,
        limits: { spaceHard: 2048, filesHard: 2 ** 40, filesSoft: 0 },
      }
      expect(
        await quotaRules.update(full.uuid, { limits: { spaceHard: 2048, spaceSoft: null }, userMapping: true }),
      ).toEqual(changed)
      expect(await quotaRules.find(full.uuid)).toEqual(changed)
      expect(await quotaRules.update(full.uuid, {})).toEqual(changed)
      expect(await quotaRules.update(ruleId(9), { limits: { spaceHard: 1 } })).toBeUndefined()
    })

    it('changes and removes the grace period and the thresholds, and returns thresholds in ascending order', async () => {
      const { quotaRules } = await openOne(open)
      const rule = aRule(1, { limits: { spaceSoft: 4096 }, gracePeriodSeconds: 604_800, thresholds: [80, 95] })
      await quotaRules.add(rule)
      expect(await quotaRules.find(rule.uuid)).toEqual(rule)
      expect(await quotaRules.update(rule.uuid, { limits: { spaceHard: 8192 } })).toMatchObject({
        thresholds: [80, 95],
      })
      const thresholds = [100, 5, 20, 30, 40, 50, 60, 70, 80, 90]
      const changed = { ...rule, limits: { spaceHard: 8192, spaceSoft: 4096 }, gracePeriodSeconds: 1 }
      const sorted = thresholds.toSorted((one, other) => one - other)
      expect(await quotaRules.update(rule.uuid, { gracePeriodSeconds: 1, thresholds })).toEqual({
        ...changed,
        thresholds: sorted,
      })
      expect(await quotaRules.find(rule.uuid)).toEqual({ ...changed, thresholds: sorted })
      await quotaRules.update(rule.uuid, { gracePeriodSeconds: null, thresholds: [] })
      const { gracePeriodSeconds: _period, thresholds: _thresholds, ...without } = changed
      expect(await quotaRules.find(rule.uuid)).toEqual(without)
    })

    it('keeps each of the sizes around 2^53, 2^62 and 2^63 - 1 that a number would round', async () => {
      const { quotaRules } = await openOne(open)
      const sizes = [2n ** 53n, 2n ** 53n + 1n, 2n ** 62n + 1n, MAXIMUM_SIZE - 1n, MAXIMUM_SIZE]
      const rules = sizes.map((size, index) =>
        aRule(index + 10, { target: user(`u${index}`), limits: { spaceHard: size, filesHard: size } }),
      )
      for (const rule of rules) await quotaRules.add(rule)
      const order = [{ field: 'spaceHard', descending: true }] as const
      let start: Position | undefined
      for (const rule of rules.toReversed()) {
        const page = await quotaRules.list({ query: everything, order, limit: 1, ...(start && { start }) })
        expect(page.records).toEqual([rule])
        start = page.next
      }
      expect(start).toBeUndefined()
      for (const [index, value] of sizes.entries()) {
        const query = {
          all: [{ any: [{ field: 'filesHard', negated: false, term: { kind: 'equals', value } }] }],
        } as const
        expect((await quotaRules.list({ query, order: [], limit: 9 })).records).toEqual([rules[index]])
      }
      const changed = { ...full, limits: { spaceHard: 2n ** 53n + 1n } }
      await quotaRules.add({ ...full, limits: {} })
      expect(await quotaRules.update(full.uuid, { limits: changed.limits })).toEqual(changed)
      expect(await quotaRules.find(full.uuid)).toEqual(changed)
    })

    it('refuses a soft limit above the hard limit when two processes change them at the same time', async () => {
      const of = alternating(await open(4))
      const changes = [{ spaceHard: 2048 }, { spaceSoft: 4096 }, { filesHard: 5 }, { filesSoft: 6 }]
      for (let round = 1; round <= 5; round += 1) {
        const rule = aRule(round, { limits: {} })
        await of(0).quotaRules.add({ ...rule, target: user(`u${round}`) })
        const outcomes = await Promise.all(
          changes.map((limits, index) => of(index).quotaRules.update(rule.uuid, { limits }, aJob(round * 10 + index))),
        )
        expect(outcomes.filter((outcome) => outcome === 'soft-above-hard')).toHaveLength(2)
        const limits = (await of(0).quotaRules.find(rule.uuid))?.limits
        expect([{ spaceHard: 2048 }, { spaceSoft: 4096 }]).toContainEqual(pickLimits(limits, 'spaceHard', 'spaceSoft'))
        expect([{ filesHard: 5 }, { filesSoft: 6 }]).toContainEqual(pickLimits(limits, 'filesHard', 'filesSoft'))
      }
      expect(await of(0).jobs.count(everything)).toBe(10)
    })

    it('links, renames and removes a qtree in every rule that names it', async () => {
      const { quotaRules } = await openOne(open)
      const tree = aRule(1, { target: { type: 'tree', qtree: 'q' } })
      const scoped = aRule(2, { target: group('g', 'q') })
      const otherQtree = aRule(3, { target: { type: 'tree', qtree: 'r' } })
      const otherVolume = aRule(4, { target: tree.target, svm: anSvm(2), volume: { uuid: volumeId(2), name: 'v' } })
      for (const rule of [tree, scoped, otherQtree, otherVolume]) await quotaRules.add(rule)
      await quotaRules.linkQtree(volumeId(1), 'q', 5)
      expect(await quotaRules.renameQtree(volumeId(1), 'q', 'new')).toBe(true)
      expect(await quotaRules.find(tree.uuid)).toEqual({ ...tree, target: { type: 'tree', qtree: 'new' }, qtreeId: 5 })
      expect(await quotaRules.find(scoped.uuid)).toEqual({ ...scoped, target: group('g', 'new'), qtreeId: 5 })
      expect(await quotaRules.find(otherQtree.uuid)).toEqual(otherQtree)
      expect(await quotaRules.find(otherVolume.uuid)).toEqual(otherVolume)
      expect(await quotaRules.add(aRule(5, { target: { type: 'tree', qtree: 'q' } }))).toMatchObject({ rule: true })
      expect(await quotaRules.add(aRule(6, { target: { type: 'tree', qtree: 'new' } }))).toMatchObject({ rule: false })
      const removed = await quotaRules.removeQtree(volumeId(1), 'new')
      expect(removed.map(({ uuid }) => uuid).toSorted()).toEqual([tree.uuid, scoped.uuid])
      expect(await quotaRules.count(everything)).toBe(3)
    })

    it('renames a qtree in no rule when another rule has the target of one', async () => {
      const { quotaRules } = await openOne(open)
      const scoped = aRule(1, { target: group('g', 'q') })
      const tree = aRule(2, { target: { type: 'tree', qtree: 'q' } })
      const taken = aRule(3, { target: { type: 'tree', qtree: 'r' } })
      for (const rule of [scoped, tree, taken]) await quotaRules.add(rule)
      expect(await quotaRules.renameQtree(volumeId(1), 'q', 'r')).toBe(false)
      for (const rule of [scoped, tree, taken]) expect(await quotaRules.find(rule.uuid)).toEqual(rule)
      expect(await quotaRules.add(aRule(4, { target: group('g', 'r') }))).toMatchObject({ rule: true })
      expect(await quotaRules.add(aRule(5, { target: tree.target }))).toMatchObject({ rule: false })
      await quotaRules.remove(taken.uuid)
      expect(await quotaRules.add(aRule(6, { target: taken.target }))).toMatchObject({ rule: true })
    })
  })
}

const user = (...[first = '', ...others]: readonly string[]): QuotaTarget => ({
  type: 'user',
  users: [{ name: first }, ...others.map((name) => ({ name }))],
})

const group = (name: string, qtree?: string): QuotaTarget => ({
  type: 'group',
  group: { name },
  ...(qtree !== undefined && { qtree }),
})

const pickLimits = (limits: QuotaLimits = {}, ...names: readonly (keyof QuotaLimits)[]): QuotaLimits =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => names.some((other) => other === name)))

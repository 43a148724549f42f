import { describe, expect, it } from 'vitest'
import type { Group, GroupId } from '../groups/group.ts'
import type { GroupRepository } from '../groups/group-repository.ts'
import type { Nanodollars } from '../money/dollars.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const start = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const absent = 'absent' as GroupId // ids are opaque here

/** Registers vitest cases for a `GroupRepository`. Each case opens an empty store. */
export function groupRepositoryConformance(open: OpenReplicas<GroupRepository>): void {
  describe('group repository', () => {
    it('finds an added group by its kind and id, with each rule, limit and label', async () => {
      const groups = await openOne(open)
      const full = testGroup(1, {
        rateLimit: 7,
        budget: {
          tokensPerMinute: 1,
          tokensPerDay: 2 ** 50,
          spend: { most: 0 as Nanodollars, period: 'day' },
          parallel: 2,
        },
        policy: { models: ['a*'], deniedModels: ['b'], endpoints: [], ipRanges: ['::/0'], disabled: true },
        owners: ['one' as GroupId],
        tags: ['größe'],
        metadata: { a: '"🦉"' },
      })
      expect(await groups.add(full)).toBe('added')
      expect(await groups.add(testGroup(2))).toBe('added')
      expect(await groups.find('team', full.id)).toEqual(full)
      expect(await groups.find('team', testGroup(2).id)).toEqual(testGroup(2))
      expect(await groups.find('user', full.id)).toBeUndefined()
    })

    it('returns nothing for a group that was never added', async () => {
      const groups = await openOne(open)
      expect(await groups.find('team', absent)).toBeUndefined()
      expect(await groups.list({ kind: 'team', limit: 10 })).toEqual([])
      expect(await groups.change('team', absent, { rateLimit: 1 })).toBeUndefined()
      expect(await groups.remove('team', absent)).toBe(false)
    })

    it('refuses an id or a name that another group of the kind has, and stores no part of it', async () => {
      const groups = await openOne(open)
      await groups.add(testGroup(1))
      expect(await groups.add(testGroup(1, { name: 'other' }))).toBe('taken')
      expect(await groups.add(testGroup(2, { name: testGroup(1).name }))).toBe('taken')
      expect(await groups.find('team', testGroup(2).id)).toBeUndefined()
      expect(await groups.add({ ...testGroup(1), kind: 'user' })).toBe('added')
      expect(await groups.list({ kind: 'team', limit: 10 })).toEqual([testGroup(1)])
    })

    it('distinguishes names that differ only in case, accents, width or trailing space', async () => {
      const groups = await openOne(open)
      const names = ['team', 'Team', 'téam', 'team ', 'ｔｅａｍ', '組🔑']
      for (const [index, name] of names.entries()) expect(await groups.add(testGroup(index, { name }))).toBe('added')
      expect((await groups.list({ kind: 'team', limit: 50 })).map(({ name }) => name)).toEqual(names)
    })

    it('adds exactly one of several simultaneous groups with the same name', async () => {
      const replica = alternating(await open(3))
      const outcomes = await Promise.all(
        Array.from({ length: 9 }, (_, index) => replica(index).add(testGroup(index, { name: 'wanted' }))),
      )
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1)
    })

    it('lists the groups of a kind in pages by creation and then id', async () => {
      const groups = await openOne(open)
      for (const index of [3, 1, 4, 2, 0]) {
        await groups.add(testGroup(index, { createdAt: new Date(start + (index >> 1)) }))
      }
      await groups.add({ ...testGroup(5), kind: 'user' })
      const ids = (list: readonly Group[]) => list.map(({ id }) => id)
      const all = [0, 1, 2, 3, 4].map((index) => testGroup(index).id)
      expect(ids(await groups.list({ kind: 'team', limit: 50 }))).toEqual(all)
      expect(ids(await groups.list({ kind: 'team', limit: 2, after: testGroup(1).id }))).toEqual(all.slice(2, 4))
      expect(await groups.list({ kind: 'team', limit: 2, after: testGroup(4).id })).toEqual([])
      expect(await groups.list({ kind: 'team', limit: 2, after: absent })).toEqual([])
    })

    it('returns the names of the groups of a kind that exist', async () => {
      const groups = await openOne(open)
      for (const index of [1, 2, 3]) await groups.add(testGroup(index))
      await groups.add({ ...testGroup(4), kind: 'user' })
      const ids = [3, 1, 3, 4].map((index) => testGroup(index).id)
      const names = await groups.namesOf('team', [...ids, absent])
      expect(new Map(names.map(({ id, name }) => [id, name]))).toEqual(
        new Map([1, 3].map((index) => [testGroup(index).id, testGroup(index).name])),
      )
      expect(await groups.namesOf('user', [])).toEqual([])
    })

    it('changes what is given, removes what is null, and refuses a name that is taken', async () => {
      const groups = await openOne(open)
      await groups.add(testGroup(1, { rateLimit: 3, budget: { tokensPerDay: 4 }, tags: ['a'] }))
      await groups.add(testGroup(2))
      expect(await groups.change('team', testGroup(1).id, { name: testGroup(2).name })).toBe('taken')
      const changes = { name: 'renamed', rateLimit: null, budget: { parallel: 1 }, policy: { disabled: true } }
      const changed = testGroup(1, {
        name: 'renamed',
        budget: { tokensPerDay: 4, parallel: 1 },
        policy: { disabled: true },
        tags: ['a'],
      })
      expect(await groups.change('team', testGroup(1).id, changes)).toEqual(changed)
      expect(await groups.find('team', testGroup(1).id)).toEqual(changed)
      expect(changed).not.toHaveProperty('rateLimit')
    })

    it('applies all of several changes that replicas make at the same time to different members', async () => {
      const replica = alternating(await open(3))
      await replica(0).add(testGroup(1))
      const { id } = testGroup(1)
      await Promise.all([
        replica(0).change('team', id, { budget: { tokensPerMinute: 1 } }),
        replica(1).change('team', id, { budget: { tokensPerDay: 2 } }),
        replica(2).change('team', id, { rateLimit: 3 }),
      ])
      expect(await replica(1).find('team', id)).toEqual(
        testGroup(1, { rateLimit: 3, budget: { tokensPerMinute: 1, tokensPerDay: 2 } }),
      )
    })

    it('removes a group once, and frees its name', async () => {
      const groups = await openOne(open)
      await groups.add(testGroup(1))
      expect(await groups.remove('user', testGroup(1).id)).toBe(false)
      expect(await groups.remove('team', testGroup(1).id)).toBe(true)
      expect(await groups.remove('team', testGroup(1).id)).toBe(false)
      expect(await groups.add(testGroup(2, { name: testGroup(1).name }))).toBe('added')
    })

    it('takes and returns copies of groups', async () => {
      const groups = await openOne(open)
      const group = testGroup(1, { createdAt: new Date(start) })
      await groups.add(group)
      group.createdAt.setTime(0)
      const found = await groups.find('team', group.id)
      found?.createdAt.setTime(1)
      expect((await groups.find('team', group.id))?.createdAt).toEqual(new Date(start))
    })
  })
}

const testGroup = (index: number, differences: Partial<Group> = {}): Group => ({
  kind: 'team',
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}` as GroupId, // has the required form
  name: `team ${index}`,
  budget: {},
  policy: {},
  owners: [],
  createdAt: new Date(start + index),
  ...differences,
})

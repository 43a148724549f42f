import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Kind } from '../index.ts'
import type { InstanceRepository } from '../ports.ts'
import { fullInstance, instance, instanceId, projectId, settings } from './records.ts'

/**
 * Registers vitest cases for an `InstanceRepository`. Each case opens an empty store.
 *
 * @param open returns an empty repository, for each test
 */
export function instanceRepositoryConformance(open: () => Promisable<InstanceRepository>): void {
  describe('InstanceRepository', () => {
    let repository: InstanceRepository
    beforeEach(async () => {
      repository = await open()
    })

    it.each(Object.keys(settings) as Kind[])('finds an added %s with every field', async (kind) => {
      const added = instance(1, kind)
      expect(await repository.add(added)).toBe(true)
      expect(await repository.find(added.id)).toEqual(added)
    })

    it('stores connections, captures, processes and the slot', async () => {
      await repository.add(fullInstance(1))
      expect(await repository.find(instanceId(1))).toEqual(fullInstance(1))
    })

    it('returns no slot for an instance without one', async () => {
      await repository.add(instance(1, 'virtual-pc'))
      expect(Object.keys((await repository.find(instanceId(1))) ?? {})).not.toContain('slot')
    })

    it('returns undefined for an absent instance, and changes nothing', async () => {
      expect(await repository.find(instanceId(1))).toBeUndefined()
      expect(await repository.remove(instanceId(1))).toBe(false)
      expect(await repository.replace(instance(1, 'router', { revision: 1 }))).toBe(false)
      expect(await repository.removals(projectId(1))).toEqual([])
    })

    it('compares ids with case', async () => {
      await repository.add(instance(10, 'router'))
      expect(await repository.find(instanceId(10, 'upper'))).toBeUndefined()
    })

    it('adds only one of two instances with the same id, of any kind and project', async () => {
      const added = await Promise.all([
        repository.add(instance(1, 'router')),
        repository.add(instance(1, 'virtual-pc', { projectId: projectId(2) })),
      ])
      expect(added.filter(Boolean)).toHaveLength(1)
      expect(await repository.list()).toHaveLength(1)
    })

    it('lists instances by project, kind or both, oldest first', async () => {
      const [one, two, three, four] = [
        instance(9, 'router', { createdAt: new Date(1000) }),
        instance(1, 'virtual-pc', { createdAt: new Date(2000) }),
        instance(2, 'virtual-pc', { createdAt: new Date(2000) }),
        instance(3, 'virtual-pc', { createdAt: new Date(3000), projectId: projectId(2) }),
      ]
      for (const each of [four, three, one, two]) await repository.add(each)
      expect(await repository.list()).toEqual([one, two, three, four])
      expect(await repository.list({ projectId: projectId(1) })).toEqual([one, two, three])
      expect(await repository.list({ kind: 'virtual-pc' })).toEqual([two, three, four])
      expect(await repository.list({ projectId: projectId(1), kind: 'virtual-pc' })).toEqual([two, three])
      expect(await repository.list({ projectId: projectId(3) })).toEqual([])
    })

    it('replaces a record by the next revision only', async () => {
      await repository.add(instance(1, 'virtual-pc'))
      expect(await repository.replace(instance(1, 'virtual-pc', { revision: 2 }))).toBe(false)
      expect(await repository.replace(instance(1, 'virtual-pc', { revision: 0 }))).toBe(false)
      const next = instance(1, 'virtual-pc', { revision: 1, name: 'renamed', settings: { console: 2999 } })
      expect(await repository.replace(next)).toBe(true)
      expect(await repository.find(next.id)).toEqual(next)
    })

    it('replaces several records or none of them', async () => {
      for (const number of [1, 2, 3]) await repository.add(instance(number, 'virtual-pc'))
      const next = (number: number, revision: number) =>
        instance(number, 'virtual-pc', { revision, name: `renamed ${number}` })
      expect(await repository.replaceAll([])).toBe(true)
      expect(await repository.replaceAll([next(1, 1), next(2, 2), next(3, 1)])).toBe(false)
      expect(await repository.replaceAll([next(1, 1), next(9, 1)])).toBe(false)
      expect(await repository.list()).toEqual([1, 2, 3].map((number) => instance(number, 'virtual-pc')))
      expect(await repository.replaceAll([next(1, 1), next(3, 1)])).toBe(true)
      expect(await repository.list()).toEqual([next(1, 1), instance(2, 'virtual-pc'), next(3, 1)])
    })

    it('removes fields that a new revision does not have', async () => {
      await repository.add(fullInstance(1))
      const bare = instance(1, 'machine', { revision: 1 })
      expect(await repository.replace(bare)).toBe(true)
      expect(await repository.find(bare.id)).toEqual(bare)
    })

    it('accepts one of two concurrent replacements', async () => {
      await repository.add(instance(1, 'virtual-pc'))
      const stored = await Promise.all(
        ['one', 'other'].map((name) => repository.replace(instance(1, 'virtual-pc', { revision: 1, name }))),
      )
      expect(stored.filter(Boolean)).toHaveLength(1)
    })

    it('copies records when it stores and returns them', async () => {
      const added = fullInstance(1)
      await repository.add(added)
      added.createdAt.setTime(0)
      const found = await repository.find(added.id)
      found?.createdAt.setTime(0)
      const [listed] = await repository.list()
      listed?.createdAt.setTime(0)
      expect(await repository.find(added.id)).toEqual(fullInstance(1))
    })

    it('keeps a removal until it is committed', async () => {
      await repository.add(instance(1, 'router'))
      await repository.add(instance(2, 'virtual-pc'))
      expect(await repository.remove(instanceId(2))).toBe(true)
      expect(await repository.remove(instanceId(2))).toBe(false)
      expect(await repository.remove(instanceId(1))).toBe(true)
      expect(await repository.list()).toEqual([])
      const [first, second] = await repository.removals(projectId(1))
      expect(first).toEqual({ projectId: projectId(1), kind: 'virtual-pc', id: instanceId(2) })
      expect(second).toEqual({ projectId: projectId(1), kind: 'router', id: instanceId(1) })
      expect(await repository.removals(projectId(2))).toEqual([])
      if (first) await repository.commit(first)
      expect(await repository.removals(projectId(1))).toEqual([second])
    })

    it('deletes the removal of an instance that is added again', async () => {
      await repository.add(instance(1, 'router'))
      await repository.remove(instanceId(1))
      expect(await repository.add(instance(1, 'router'))).toBe(true)
      expect(await repository.removals(projectId(1))).toEqual([])
    })

    it('keeps the removal of an id that is added to another project or as another kind', async () => {
      await repository.add(instance(1, 'router'))
      await repository.remove(instanceId(1))
      await repository.add(instance(1, 'router', { projectId: projectId(2) }))
      await repository.remove(instanceId(1))
      await repository.add(instance(1, 'machine'))
      expect(await repository.removals(projectId(1))).toHaveLength(1)
      expect(await repository.removals(projectId(2))).toHaveLength(1)
    })

    it('reports success to one of two concurrent removals', async () => {
      await repository.add(instance(1, 'router'))
      const removed = await Promise.all([repository.remove(instanceId(1)), repository.remove(instanceId(1))])
      expect(removed.filter(Boolean)).toHaveLength(1)
      expect(await repository.removals(projectId(1))).toHaveLength(1)
    })

    it('removes the instances and removals of one project', async () => {
      const other = instance(3, 'router', { projectId: projectId(2) })
      for (const each of [
        instance(1, 'router'),
        instance(2, 'router'),
        other,
        instance(4, 'router', { projectId: projectId(2) }),
      ])
        await repository.add(each)
      await repository.remove(instanceId(1))
      await repository.remove(instanceId(4))
      await repository.removeProject(projectId(1))
      expect(await repository.list()).toEqual([other])
      expect(await repository.removals(projectId(1))).toEqual([])
      expect(await repository.removals(projectId(2))).toHaveLength(1)
    })
  })
}

import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DrawingRepository } from '../ports.ts'
import { drawing, drawingId, projectId } from './records.ts'

/**
 * Registers vitest cases for a `DrawingRepository`. Each case opens an empty store.
 *
 * @param open returns an empty repository, for each test
 */
export function drawingRepositoryConformance(open: () => Promisable<DrawingRepository>): void {
  describe('DrawingRepository', () => {
    let repository: DrawingRepository
    beforeEach(async () => {
      repository = await open()
    })

    it('finds an added drawing with every field', async () => {
      const added = drawing(1, { x: -1_000_000, y: 1_000_000, z: -1000, rotation: -359, locked: true })
      expect(await repository.add(added)).toBe(true)
      expect(await repository.find(added.id)).toEqual(added)
    })

    it('stores the longest SVG as it is', async () => {
      const [start, end] = ['<svg><text>ünï \u{1f600} \\ \' " \n&amp;', '</text></svg>']
      const svg = `${start}${'ß'.repeat(2 ** 18 - start.length - end.length)}${end}`
      await repository.add(drawing(1, { svg }))
      expect((await repository.find(drawingId(1)))?.svg === svg).toBe(true)
    })

    it('returns undefined for an absent drawing, and changes nothing', async () => {
      expect(await repository.find(drawingId(1))).toBeUndefined()
      expect(await repository.remove(drawingId(1))).toBe(false)
      expect(await repository.replace(drawing(1, { revision: 1 }))).toBe(false)
      expect(await repository.list(projectId(1))).toEqual([])
      expect(await repository.usage(projectId(1))).toEqual({ drawings: 0, characters: 0 })
    })

    it('compares ids with case', async () => {
      await repository.add(drawing(10))
      expect(await repository.find(drawingId(10, 'upper'))).toBeUndefined()
    })

    it('adds only one of two drawings with the same id, of any project', async () => {
      const added = await Promise.all([
        repository.add(drawing(1)),
        repository.add(drawing(1, { projectId: projectId(2) })),
      ])
      expect(added.filter(Boolean)).toHaveLength(1)
      const listed = [...(await repository.list(projectId(1))), ...(await repository.list(projectId(2)))]
      expect(listed).toHaveLength(1)
    })

    it('lists the drawings of a project, oldest first, then by id', async () => {
      const [one, two, three, other] = [
        drawing(9, { createdAt: new Date(1000) }),
        drawing(1, { createdAt: new Date(2000) }),
        drawing(2, { createdAt: new Date(2000) }),
        drawing(3, { createdAt: new Date(500), projectId: projectId(2) }),
      ]
      for (const each of [three, other, one, two]) await repository.add(each)
      expect(await repository.list(projectId(1))).toEqual([one, two, three])
      expect(await repository.list(projectId(2))).toEqual([other])
      expect(await repository.list(projectId(3))).toEqual([])
    })

    it('replaces a record by the next revision only', async () => {
      await repository.add(drawing(1))
      expect(await repository.replace(drawing(1, { revision: 2 }))).toBe(false)
      expect(await repository.replace(drawing(1, { revision: 0 }))).toBe(false)
      const next = drawing(1, { revision: 1, x: 5, y: -5, z: 7, rotation: 360, locked: true, svg: '<svg/>' })
      expect(await repository.replace(next)).toBe(true)
      expect(await repository.find(next.id)).toEqual(next)
      expect(await repository.list(projectId(1))).toEqual([next])
    })

    it('accepts one of two concurrent replacements', async () => {
      await repository.add(drawing(1))
      const stored = await Promise.all([1, 2].map((x) => repository.replace(drawing(1, { revision: 1, x }))))
      expect(stored.filter(Boolean)).toHaveLength(1)
    })

    it('measures the drawings of a project in UTF-16 code units', async () => {
      await repository.add(drawing(1, { svg: '<svg>\u{1f600}</svg>' }))
      await repository.add(drawing(2, { svg: '<svg/>' }))
      await repository.add(drawing(3, { svg: '<svg/>', projectId: projectId(2) }))
      expect(await repository.usage(projectId(1))).toEqual({ drawings: 2, characters: 19 })
      await repository.replace(drawing(2, { svg: '<svg></svg>', revision: 1 }))
      expect(await repository.usage(projectId(1))).toEqual({ drawings: 2, characters: 24 })
      await repository.remove(drawingId(1))
      expect(await repository.usage(projectId(1))).toEqual({ drawings: 1, characters: 11 })
    })

    it('copies records when it stores and returns them', async () => {
      const added = drawing(1)
      await repository.add(added)
      added.createdAt.setTime(0)
      const found = await repository.find(added.id)
      found?.createdAt.setTime(0)
      const [listed] = await repository.list(projectId(1))
      listed?.createdAt.setTime(0)
      expect(await repository.find(added.id)).toEqual(drawing(1))
    })

    it('reports success to one of two concurrent removals', async () => {
      await repository.add(drawing(1))
      const removed = await Promise.all([repository.remove(drawingId(1)), repository.remove(drawingId(1))])
      expect(removed.filter(Boolean)).toHaveLength(1)
      expect(await repository.find(drawingId(1))).toBeUndefined()
      expect(await repository.list(projectId(1))).toEqual([])
    })

    it('removes the drawings of one project', async () => {
      const other = drawing(3, { projectId: projectId(2) })
      for (const each of [drawing(1), drawing(2), other]) await repository.add(each)
      await repository.removeProject(projectId(1))
      expect(await repository.list(projectId(1))).toEqual([])
      expect(await repository.find(drawingId(1))).toBeUndefined()
      expect(await repository.list(projectId(2))).toEqual([other])
      expect(await repository.add(drawing(1))).toBe(true)
    })
  })
}

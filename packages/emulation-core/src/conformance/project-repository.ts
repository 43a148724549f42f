import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProjectRepository } from '../ports.ts'
import { project, projectId } from './records.ts'

/**
 * Registers vitest cases for a `ProjectRepository`. Each case opens an empty store.
 *
 * @param open returns an empty repository, for each test
 */
export function projectRepositoryConformance(open: () => Promisable<ProjectRepository>): void {
  describe('ProjectRepository', () => {
    let repository: ProjectRepository
    beforeEach(async () => {
      repository = await open()
    })

    it('finds an added project with every field', async () => {
      const added = project(1, {
        temporary: true,
        name: 'ünï "cödé" \u{1f600}',
        path: '/projects/ünï cödé "1"',
        ownerId: "ü's%".padEnd(128, '🦉'),
        status: 'closed',
        description: 'Two\nlines "quoted" \u{1f600}',
        author: 'Ünï',
        archived: true,
        locked: true,
        autoOpen: true,
        autoStart: true,
        autoStopMinutes: 90,
        scene: { width: 2000, zoom: 75, showGrid: true },
        changedAt: new Date(1_800_000_000_123),
      })
      expect(await repository.add(added)).toBe(true)
      expect(await repository.find(added.id)).toEqual(added)
    })

    it('returns undefined for an absent project, and changes nothing', async () => {
      expect(await repository.find(projectId(1))).toBeUndefined()
      expect(await repository.remove(projectId(1))).toBe(false)
      expect(await repository.replace(project(1, { revision: 1 }))).toBe(false)
    })

    it('compares ids with case', async () => {
      await repository.add(project(10))
      const upper = project(10, { id: projectId(10, 'upper') })
      expect(await repository.find(upper.id)).toBeUndefined()
      expect(await repository.add(upper)).toBe(true)
    })

    it('adds only one of two projects with the same id', async () => {
      const first = project(1, { path: '/first' })
      const added = await Promise.all([repository.add(first), repository.add(project(1, { path: '/second' }))])
      expect(added.filter(Boolean)).toHaveLength(1)
      expect(await repository.list()).toHaveLength(1)
    })

    it('lists projects by age, oldest first, then by id', async () => {
      const [oldest, second, third] = [
        project(9, { createdAt: new Date(1000) }),
        project(1, { createdAt: new Date(2000) }),
        project(2, { createdAt: new Date(2000) }),
      ]
      for (const each of [third, oldest, second]) await repository.add(each)
      expect(await repository.list()).toEqual([oldest, second, third])
    })

    it('replaces a record by the next revision only', async () => {
      await repository.add(project(1))
      expect(await repository.replace(project(1, { revision: 2 }))).toBe(false)
      expect(await repository.replace(project(1, { revision: 0 }))).toBe(false)
      const next = project(1, { revision: 1, path: '/elsewhere', name: 'Renamed', temporary: true })
      expect(await repository.replace(next)).toBe(true)
      expect(await repository.find(next.id)).toEqual(next)
    })

    it('accepts one of two concurrent replacements', async () => {
      await repository.add(project(1))
      const stored = await Promise.all(
        ['/one', '/other'].map((path) => repository.replace(project(1, { revision: 1, path }))),
      )
      expect(stored.filter(Boolean)).toHaveLength(1)
    })

    it('returns copies of records', async () => {
      await repository.add(project(1))
      const found = await repository.find(projectId(1))
      found?.createdAt.setTime(0)
      expect(await repository.find(projectId(1))).toEqual(project(1))
    })

    it('removes a project once', async () => {
      await repository.add(project(1))
      await repository.add(project(2))
      expect(await repository.remove(projectId(1))).toBe(true)
      expect(await repository.remove(projectId(1))).toBe(false)
      expect(await repository.list()).toEqual([project(2)])
    })
  })
}

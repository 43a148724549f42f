import type { JobRepository } from '../jobs/job-repository.ts'
import type { Qtree } from '../qtrees/qtree.ts'
import { MAXIMUM_QTREES, qtreeFields } from '../qtrees/qtree.ts'
import type { QtreeRepository } from '../qtrees/qtree-repository.ts'
import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import type { VolumeId } from '../volumes/volume.ts'

/** Stores qtrees in memory until the process ends. Returns copies. */
export function memoryQtrees(jobs: Pick<JobRepository, 'add'>): QtreeRepository {
  const volumes = new Map<VolumeId, Map<number, Qtree>>()
  const of = (volume: VolumeId): Map<number, Qtree> => {
    const stored = volumes.get(volume) ?? new Map<number, Qtree>()
    volumes.set(volume, stored)
    return stored
  }
  const named = (volume: VolumeId, name: string) => [...of(volume).values()].find((qtree) => qtree.name === name)
  const all = () => [...volumes.values()].flatMap((qtrees) => [...qtrees.values()])
  return {
    async registerVolume(qtree) {
      const qtrees = of(qtree.volume.uuid)
      if (!qtrees.has(0)) qtrees.set(0, structuredClone(qtree))
    },
    async create(draft, jobOf) {
      const qtrees = of(draft.volume.uuid)
      if (named(draft.volume.uuid, draft.name)) return 'taken'
      let id = 1
      while (qtrees.has(id)) id += 1
      if (id >= MAXIMUM_QTREES) return 'full'
      const qtree: Qtree = { ...structuredClone(draft), id }
      qtrees.set(id, qtree)
      if (jobOf) await jobs.add(jobOf(structuredClone(qtree)))
      return structuredClone(qtree)
    },
    async find(volume, id) {
      return structuredClone(of(volume).get(id))
    },
    async findByName(volume, name) {
      return structuredClone(named(volume, name))
    },
    async list(request) {
      return structuredClone(pageInMemory(qtreeFields, all(), request))
    },
    async count(query) {
      return all().filter(compileQuery(qtreeFields, query)).length
    },
    async update(volume, id, change) {
      const qtree = of(volume).get(id)
      if (!qtree) return undefined
      const same = change.name === undefined ? undefined : named(volume, change.name)
      if (same && same.id !== id) return 'taken'
      const changed: Qtree = { ...qtree, ...structuredClone(change) }
      of(volume).set(id, changed)
      return structuredClone(changed)
    },
    async remove(volume, id) {
      const qtree = of(volume).get(id)
      of(volume).delete(id)
      return qtree
    },
  }
}

import type { Emit } from '../events/create-events.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { ProjectId } from '../projects/project.ts'
import type { LiveInstance } from './live-instance.ts'

/** Counts instances that run or are suspended, and emits `instances.counted` with each change. */
export interface LiveCounts {
  countStart(instance: Counted): void
  countEnd(instance: Counted): void
  /** Returns how many instances of a project run or are suspended, without those of kinds that are always on. */
  running(projectId: ProjectId): number
}

type Counted = Pick<LiveInstance, 'kind' | 'projectId'>

export function createLiveCounts(emit: Emit): LiveCounts {
  const byKind = new Map<Kind, number>()
  const byProject = new Map<ProjectId, number>()

  const add = ({ kind, projectId }: Counted, difference: number) => {
    const running = (byKind.get(kind) ?? 0) + difference
    byKind.set(kind, running)
    emit('instances.counted', kind, running)
    if (kinds[kind].alwaysOn) return
    const ofProject = (byProject.get(projectId) ?? 0) + difference
    if (ofProject === 0) byProject.delete(projectId)
    else byProject.set(projectId, ofProject)
  }

  return {
    countStart: (instance) => add(instance, 1),
    countEnd: (instance) => add(instance, -1),
    running: (projectId) => byProject.get(projectId) ?? 0,
  }
}

import type { ProjectId } from '../projects/project.ts'

/** Counts projects and instances in memory, without reading the store. */
export interface InstanceCounts {
  readonly projects: number
  /** Removes all counts. */
  clear(): void
  addProject(id: ProjectId): void
  removeProject(id: ProjectId): void
  instances(projectId: ProjectId): number
  addInstance(projectId: ProjectId): void
  removeInstance(projectId: ProjectId): void
  /** Takes the time of a change of an instance, unless a later one is known. */
  noteChange(projectId: ProjectId, at: Date): void
  /** Returns when an instance of the project was last changed; `undefined` where no instance ever was. */
  changedAt(projectId: ProjectId): Date | undefined
}

interface Counts {
  instances: number
  changedAt: Date | undefined
}

export function createInstanceCounts(): InstanceCounts {
  const projects = new Map<ProjectId, Counts>()

  const countsOf = (id: ProjectId): Counts => {
    const counts = projects.get(id) ?? { instances: 0, changedAt: undefined }
    projects.set(id, counts)
    return counts
  }

  return {
    get projects() {
      return projects.size
    },
    clear: () => projects.clear(),
    addProject: (id) => void countsOf(id),
    removeProject: (id) => void projects.delete(id),
    instances: (projectId) => projects.get(projectId)?.instances ?? 0,
    addInstance: (projectId) => {
      countsOf(projectId).instances += 1
    },
    removeInstance: (projectId) => {
      const counts = projects.get(projectId)
      if (counts) counts.instances = Math.max(0, counts.instances - 1)
    },
    noteChange: (projectId, at) => {
      const counts = projects.get(projectId)
      if (counts && (counts.changedAt === undefined || counts.changedAt < at)) counts.changedAt = at
    },
    changedAt: (projectId) => projects.get(projectId)?.changedAt,
  }
}

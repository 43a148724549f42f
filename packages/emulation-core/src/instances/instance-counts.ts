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
}

export function createInstanceCounts(): InstanceCounts {
  const instances = new Map<ProjectId, number>()
  const count = (id: ProjectId) => instances.get(id) ?? 0
  return {
    get projects() {
      return instances.size
    },
    clear: () => instances.clear(),
    addProject: (id) => void instances.set(id, count(id)),
    removeProject: (id) => void instances.delete(id),
    instances: count,
    addInstance: (id) => void instances.set(id, count(id) + 1),
    removeInstance: (id) => {
      if (instances.has(id)) instances.set(id, Math.max(0, count(id) - 1))
    },
  }
}

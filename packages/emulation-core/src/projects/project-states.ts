import type { Project, ProjectId } from './project.ts'

/** Keeps in memory what operations on instances ask of their projects each time. */
export interface ProjectStates {
  /** Takes the state of a stored project. */
  set(project: Pick<Project, 'id' | 'status' | 'locked' | 'autoStopMinutes'>): void
  remove(id: ProjectId): void
  /** Removes all states. */
  clear(): void
  /** Returns why instances of the project cannot be used or changed; `undefined` where they can. */
  objection(id: ProjectId, use: InstanceUse): 'project-closed' | 'project-locked' | undefined
  /** Returns after how many minutes the lab stops; 0 for never. */
  autoStopMinutes(id: ProjectId): number
}

/** Whether an operation changes the lab, or only runs and watches it. A locked project allows the second. */
export type InstanceUse = 'change' | 'run'

export function createProjectStates(): ProjectStates {
  const opened = new Set<ProjectId>()
  const locked = new Set<ProjectId>()
  const minutes = new Map<ProjectId, number>()
  const put = (set: Set<ProjectId>, id: ProjectId, isMember: boolean) => (isMember ? set.add(id) : set.delete(id))
  return {
    set: (project) => {
      put(opened, project.id, project.status === 'opened')
      put(locked, project.id, project.locked)
      minutes.set(project.id, project.autoStopMinutes)
    },
    remove: (id) => {
      opened.delete(id)
      locked.delete(id)
      minutes.delete(id)
    },
    clear: () => {
      opened.clear()
      locked.clear()
      minutes.clear()
    },
    autoStopMinutes: (id) => minutes.get(id) ?? 0,
    objection: (id, use) => {
      if (!opened.has(id)) return 'project-closed'
      return use === 'change' && locked.has(id) ? 'project-locked' : undefined
    },
  }
}

import type { Project, ProjectId } from './project.ts'

/** Keeps in memory which projects are open and which are locked, as operations on their instances ask each time. */
export interface ProjectStates {
  /** Takes the state of a stored project. */
  set(project: Pick<Project, 'id' | 'status' | 'locked'>): void
  remove(id: ProjectId): void
  /** Removes all states. */
  clear(): void
  /** Returns why instances of the project cannot be used or changed; `undefined` where they can. */
  objection(id: ProjectId, use: InstanceUse): 'project-closed' | 'project-locked' | undefined
}

/** Whether an operation changes the lab, or only runs and watches it. A locked project allows the second. */
export type InstanceUse = 'change' | 'run'

export function createProjectStates(): ProjectStates {
  const opened = new Set<ProjectId>()
  const locked = new Set<ProjectId>()
  const put = (set: Set<ProjectId>, id: ProjectId, isMember: boolean) => (isMember ? set.add(id) : set.delete(id))
  return {
    set: (project) => {
      put(opened, project.id, project.status === 'opened')
      put(locked, project.id, project.locked)
    },
    remove: (id) => {
      opened.delete(id)
      locked.delete(id)
    },
    clear: () => {
      opened.clear()
      locked.clear()
    },
    objection: (id, use) => {
      if (!opened.has(id)) return 'project-closed'
      return use === 'change' && locked.has(id) ? 'project-locked' : undefined
    },
  }
}

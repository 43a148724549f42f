import type { Project, ProjectId } from '../projects/project.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import { byAge } from './by-age.ts'

/** Stores projects in memory until the process ends. Returns copies. */
export function memoryProjects(): ProjectRepository {
  const projects = new Map<ProjectId, Project>()
  return {
    find: async (id) => structuredClone(projects.get(id)),
    list: async () => structuredClone([...projects.values()].sort(byAge)),
    add: async (project) => {
      if (projects.has(project.id)) return false
      projects.set(project.id, structuredClone(project))
      return true
    },
    replace: async (project) => {
      if (projects.get(project.id)?.revision !== project.revision - 1) return false
      projects.set(project.id, structuredClone(project))
      return true
    },
    remove: async (id) => projects.delete(id),
  }
}

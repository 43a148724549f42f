import type { Drawing, DrawingId } from '../drawings/drawing.ts'
import type { DrawingRepository } from '../drawings/drawing-repository.ts'
import type { ProjectId } from '../projects/project.ts'
import { byAge } from './by-age.ts'

/** Stores drawings in memory until the process ends. Returns copies. */
export function memoryDrawings(): DrawingRepository {
  const drawings = new Map<DrawingId, Drawing>()
  const projects = new Map<ProjectId, Map<DrawingId, Drawing>>()

  const store = (drawing: Drawing) => {
    const copy = copyOf(drawing)
    const ofProject = projects.get(copy.projectId) ?? new Map<DrawingId, Drawing>()
    projects.set(copy.projectId, ofProject.set(copy.id, copy))
    drawings.set(copy.id, copy)
  }
  const listed = (id: ProjectId) => [...(projects.get(id)?.values() ?? [])]

  return {
    find: async (id) => {
      const found = drawings.get(id)
      return found && copyOf(found)
    },
    list: async (projectId) => listed(projectId).map(copyOf).sort(byAge),
    usage: async (projectId) => {
      const found = listed(projectId)
      return { drawings: found.length, characters: found.reduce((sum, { svg }) => sum + svg.length, 0) }
    },
    add: async (drawing) => {
      if (drawings.has(drawing.id)) return false
      store(drawing)
      return true
    },
    replace: async (drawing) => {
      if (drawings.get(drawing.id)?.revision !== drawing.revision - 1) return false
      store(drawing)
      return true
    },
    remove: async (id) => {
      const found = drawings.get(id)
      if (!found) return false
      drawings.delete(id)
      projects.get(found.projectId)?.delete(id)
      return true
    },
    removeProject: async (projectId) => {
      for (const id of projects.get(projectId)?.keys() ?? []) drawings.delete(id)
      projects.delete(projectId)
    },
  }
}

/** Unlike `structuredClone` it does not copy the text, which may be long. */
const copyOf = (drawing: Drawing): Drawing => ({ ...drawing, createdAt: new Date(drawing.createdAt) })

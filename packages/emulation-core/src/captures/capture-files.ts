import type { ProjectId } from '../projects/project.ts'

/** Which capture files are being written. */
export interface CaptureFiles {
  /** @returns whether nobody else writes that file */
  take(projectId: ProjectId, fileName: string): boolean
  release(projectId: ProjectId, fileName: string): void
  isTaken(projectId: ProjectId, fileName: string): boolean
  /** Whether anything is being captured in the project. */
  any(projectId: ProjectId): boolean
}

export function createCaptureFiles(): CaptureFiles {
  const projects = new Map<ProjectId, Set<string>>()
  return {
    take: (projectId, fileName) => {
      const names = projects.get(projectId) ?? new Set()
      if (names.has(fileName)) return false
      projects.set(projectId, names.add(fileName))
      return true
    },
    release: (projectId, fileName) => {
      const names = projects.get(projectId)
      names?.delete(fileName)
      if (names?.size === 0) projects.delete(projectId)
    },
    isTaken: (projectId, fileName) => projects.get(projectId)?.has(fileName) ?? false,
    any: (projectId) => projects.has(projectId),
  }
}

import type { ProjectId } from '../projects/project.ts'

/** Which capture files are being written. */
export interface CaptureFiles {
  /** @returns what this capture is known by from others of that file; `undefined` where somebody else writes it */
  take(projectId: ProjectId, fileName: string): symbol | undefined
  release(projectId: ProjectId, fileName: string): void
  /** @param by the capture that it has to be */
  isTaken(projectId: ProjectId, fileName: string, by?: symbol): boolean
  /** Whether anything is being captured in the project. */
  any(projectId: ProjectId): boolean
}

export function createCaptureFiles(): CaptureFiles {
  const projects = new Map<ProjectId, Map<string, symbol>>()
  return {
    take: (projectId, fileName) => {
      const names = projects.get(projectId) ?? new Map<string, symbol>()
      if (names.has(fileName)) return undefined
      const capture = Symbol(fileName)
      projects.set(projectId, names.set(fileName, capture))
      return capture
    },
    release: (projectId, fileName) => {
      const names = projects.get(projectId)
      names?.delete(fileName)
      if (names?.size === 0) projects.delete(projectId)
    },
    isTaken: (projectId, fileName, by) => {
      const capture = projects.get(projectId)?.get(fileName)
      return capture !== undefined && (by === undefined || by === capture)
    },
    any: (projectId) => projects.has(projectId),
  }
}

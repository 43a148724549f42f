import type { ProjectId } from '../projects/project.ts'
import type { CaptureEntry } from '../projects/project-files.ts'

/** Which capture files are being written, and how many bytes each project's captures have together. */
export interface CaptureFiles {
  /** @returns what this capture is known by from others of that file; `undefined` where another one writes it */
  take(projectId: ProjectId, fileName: string): symbol | undefined
  /** Its bytes stay counted for as long as another file of the project is written. */
  release(projectId: ProjectId, fileName: string): void
  /** @param by the capture that it has to be */
  isTaken(projectId: ProjectId, fileName: string, by?: symbol): boolean
  /** Whether anything is being captured in the project. */
  any(projectId: ProjectId): boolean
  /** Counts the files that are kept: what the directory has, without those that are being written. */
  count(projectId: ProjectId, entries: readonly CaptureEntry[]): void
  /** Counts bytes that are to be written to a file that was taken. @returns `false`, and counts none, where they do not fit */
  claim(projectId: ProjectId, fileName: string, bytes: number): boolean
}

interface CapturedProject {
  readonly written: Map<string, { readonly capture: symbol; bytes: number }>
  keptBytes: number
  writtenBytes: number
}

/** @param projectBytes the most bytes that the captures of one project have together */
export function createCaptureFiles({ projectBytes }: { readonly projectBytes: number }): CaptureFiles {
  const projects = new Map<ProjectId, CapturedProject>()
  return {
    take: (projectId, fileName) => {
      const project = projects.get(projectId) ?? { written: new Map(), keptBytes: 0, writtenBytes: 0 }
      if (project.written.has(fileName)) return undefined
      const capture = Symbol(fileName)
      project.written.set(fileName, { capture, bytes: 0 })
      projects.set(projectId, project)
      return capture
    },
    release: (projectId, fileName) => {
      const project = projects.get(projectId)
      const file = project?.written.get(fileName)
      if (project === undefined || file === undefined) return
      project.written.delete(fileName)
      project.writtenBytes -= file.bytes
      project.keptBytes += file.bytes
      if (project.written.size === 0) projects.delete(projectId)
    },
    isTaken: (projectId, fileName, by) => {
      const file = projects.get(projectId)?.written.get(fileName)
      return file !== undefined && (by === undefined || by === file.capture)
    },
    any: (projectId) => projects.has(projectId),
    count: (projectId, entries) => {
      const project = projects.get(projectId)
      if (project === undefined) return
      project.keptBytes = entries
        .filter(({ name }) => !project.written.has(name))
        .reduce((sum, { bytes }) => sum + bytes, 0)
    },
    claim: (projectId, fileName, bytes) => {
      const project = projects.get(projectId)
      const file = project?.written.get(fileName)
      if (project === undefined || file === undefined) return false
      if (project.keptBytes + project.writtenBytes + bytes > projectBytes) return false
      file.bytes += bytes
      project.writtenBytes += bytes
      return true
    },
  }
}

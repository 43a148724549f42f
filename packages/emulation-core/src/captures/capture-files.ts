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
  /**
   * Begins to count the files that are kept. It is to be called before the directory is read: a count that began before
   * the last one, or before a file was completed, is left out.
   *
   * @returns what takes the files that the directory has; those that are being written are left out
   */
  count(projectId: ProjectId): (entries: readonly CaptureEntry[]) => void
  /** Counts bytes that are to be written to a file that was taken. @returns `false`, and counts none, where they do not fit */
  claim(projectId: ProjectId, fileName: string, bytes: number): boolean
  /** The files of the project were deleted. */
  forget(projectId: ProjectId): void
}

/** What all projects capture, and have captured. */
export interface CaptureCounts {
  /** Captures that write to a file. */
  readonly running: number
  /** Of all capture files, as far as their projects have been counted. */
  readonly bytes: number
}

export interface CaptureFilesOptions {
  /** The most bytes that the captures of one project have together. */
  readonly projectBytes: number
  /** Called when the counts have changed; for bytes that are claimed, after each 64 KiB. */
  readonly onCounted: (counts: CaptureCounts) => void
}

/** Claims come with every frame. */
const REPORTED_BYTES = 64 * 1024

interface CapturedProject {
  readonly written: Map<string, { readonly capture: symbol; bytes: number }>
  keptBytes: number
  writtenBytes: number
  /** Counts that begin have a higher number. */
  countedAt: number
}

export function createCaptureFiles({ projectBytes, onCounted }: CaptureFilesOptions): CaptureFiles {
  const projects = new Map<ProjectId, CapturedProject>()
  let running = 0
  let totalBytes = 0
  let reportedBytes = 0
  let begunCounts = 0
  const report = () => {
    reportedBytes = totalBytes
    onCounted({ running, bytes: totalBytes })
  }
  const projectOf = (projectId: ProjectId): CapturedProject => {
    const project = projects.get(projectId) ?? { written: new Map(), keptBytes: 0, writtenBytes: 0, countedAt: 0 }
    projects.set(projectId, project)
    return project
  }

  return {
    take: (projectId, fileName) => {
      const project = projectOf(projectId)
      if (project.written.has(fileName)) return undefined
      const capture = Symbol(fileName)
      project.written.set(fileName, { capture, bytes: 0 })
      running += 1
      report()
      return capture
    },
    release: (projectId, fileName) => {
      const project = projects.get(projectId)
      const file = project?.written.get(fileName)
      if (project === undefined || file === undefined) return
      project.written.delete(fileName)
      project.writtenBytes -= file.bytes
      project.keptBytes += file.bytes
      if (file.bytes > 0) project.countedAt = begunCounts
      running -= 1
      report()
    },
    isTaken: (projectId, fileName, by) => {
      const file = projects.get(projectId)?.written.get(fileName)
      return file !== undefined && (by === undefined || by === file.capture)
    },
    any: (projectId) => (projects.get(projectId)?.written.size ?? 0) > 0,
    count: (projectId) => {
      const project = projectOf(projectId)
      begunCounts += 1
      const begunAt = begunCounts
      return (entries) => {
        if (projects.get(projectId) !== project || begunAt <= project.countedAt) return
        project.countedAt = begunAt
        totalBytes -= project.keptBytes
        project.keptBytes = entries
          .filter(({ name }) => !project.written.has(name))
          .reduce((sum, { bytes }) => sum + bytes, 0)
        totalBytes += project.keptBytes
        report()
      }
    },
    claim: (projectId, fileName, bytes) => {
      const project = projects.get(projectId)
      const file = project?.written.get(fileName)
      if (project === undefined || file === undefined) return false
      if (project.keptBytes + project.writtenBytes + bytes > projectBytes) return false
      file.bytes += bytes
      project.writtenBytes += bytes
      totalBytes += bytes
      if (totalBytes - reportedBytes >= REPORTED_BYTES) report()
      return true
    },
    forget: (projectId) => {
      const project = projects.get(projectId)
      if (project === undefined) return
      projects.delete(projectId)
      running -= project.written.size
      totalBytes -= project.keptBytes + project.writtenBytes
      report()
    },
  }
}

import type { ProjectId } from '../projects/project.ts'
import type { CaptureEntry } from '../projects/project-files.ts'

/** Keeps which capture files are being written, and the total size of each project's captures. */
export interface CaptureFiles {
  /** @returns a symbol that identifies this capture; `undefined` where another capture writes the file */
  take(projectId: ProjectId, fileName: string): symbol | undefined
  /** Ends the writing of a file. Its bytes stay counted. */
  release(projectId: ProjectId, fileName: string): void
  /** @param by only this capture counts. @default any capture */
  isTaken(projectId: ProjectId, fileName: string, by?: symbol): boolean
  /** Whether a capture of the project is being written. */
  any(projectId: ProjectId): boolean
  /**
   * Begins to count the files that are kept. Call it before the directory is read. A count that began before the
   * latest one, or before a file was completed, is ignored.
   *
   * @returns a function that takes the files of the directory; those that are being written are left out
   */
  count(projectId: ProjectId): (entries: readonly CaptureEntry[]) => void
  /**
   * Counts bytes before they are written to a taken file.
   *
   * @returns `false`, without counting them, where they do not fit
   */
  claim(projectId: ProjectId, fileName: string, bytes: number): boolean
  /** Removes all counts of a project whose files were deleted. */
  removeProject(projectId: ProjectId): void
}

/** Captures of all projects. */
export interface CaptureCounts {
  /** Captures that write to a file. */
  readonly running: number
  /** Size of all capture files of the projects that have been counted. */
  readonly bytes: number
}

export interface CaptureFilesOptions {
  /** The most bytes of all captures of one project together. */
  readonly projectBytes: number
  /** Called after the counts have changed; for claimed bytes, after each 64 KiB. */
  readonly onCounted: (counts: CaptureCounts) => void
}

// Every frame claims bytes: a report for each would be too many.
const REPORTED_BYTES = 64 * 1024

interface CapturedProject {
  readonly written: Map<string, { readonly capture: symbol; bytes: number }>
  keptBytes: number
  writtenBytes: number
  /** The number of the latest count; counts that begin later have a higher one. */
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
    removeProject: (projectId) => {
      const project = projects.get(projectId)
      if (project === undefined) return
      projects.delete(projectId)
      running -= project.written.size
      totalBytes -= project.keptBytes + project.writtenBytes
      report()
    },
  }
}

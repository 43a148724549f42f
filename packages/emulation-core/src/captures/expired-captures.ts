import type { Context } from '../context.ts'
import type { Project } from '../projects/project.ts'
import type { CaptureEntry } from '../projects/project-files.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletes the captures of a project that nothing has written for longer than the host keeps them. @returns the others */
export async function removeExpiredCaptures(context: Context, project: Project): Promise<readonly CaptureEntry[]> {
  const { files, captureFiles, limits, now } = context
  const oldest = now().getTime() - limits.captureDays * DAY_MS
  const kept: CaptureEntry[] = []
  for (const entry of await files.captures(project)) {
    const isExpired = entry.modifiedAt.getTime() < oldest && !captureFiles.isTaken(project.id, entry.name)
    if (isExpired) await files.removeCapture(project, entry.name)
    else kept.push(entry)
  }
  return kept
}

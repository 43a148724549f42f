import type { Context } from '../context.ts'
import type { Project } from '../projects/project.ts'
import type { CaptureEntry } from '../projects/project-files.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Deletes the captures of a project that were last written more than `captureDays` ago, and counts the others. Until
 * the clock is trusted, it deletes only those that have expired since the clock has been watched.
 *
 * @returns the captures that are kept
 */
export async function removeExpiredCaptures(context: Context, project: Project): Promise<readonly CaptureEntry[]> {
  const { files, captureFiles, limits, now, clock, emit } = context
  const time = now()
  const { since } = clock()
  const kept: CaptureEntry[] = []
  let removed = 0
  const count = captureFiles.count(project.id)
  for (const entry of await files.captures(project)) {
    const expiresAt = new Date(entry.modifiedAt.getTime() + limits.captureDays * DAY_MS)
    const isExpired = expiresAt < time && expiresAt >= since
    if (!isExpired || captureFiles.isTaken(project.id, entry.name)) kept.push(entry)
    else if (await files.removeCapture(project, entry.name)) removed += 1
  }
  count(kept)
  if (removed > 0) emit('retention.removed', 'captures', removed)
  return kept
}

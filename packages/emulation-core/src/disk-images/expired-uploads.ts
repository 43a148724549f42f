import type { Context } from '../context.ts'

const HOUR_MS = 3_600_000

/**
 * Removes uploads that no byte has arrived for since `diskImageUploadHours`. A wrong clock removes what a client can send
 * again, so it is not checked.
 *
 * @param busy names whose uploads a call changes now
 */
export async function removeExpiredUploads(context: Context, busy: ReadonlySet<string>): Promise<void> {
  const { diskImages, limits, now, emit } = context
  const time = now()
  let removed = 0
  for (const { name, modifiedAt } of (await diskImages?.uploads()) ?? []) {
    const expiresAt = new Date(modifiedAt.getTime() + limits.diskImageUploadHours * HOUR_MS)
    if (expiresAt >= time || busy.has(name)) continue
    if (await diskImages?.discard(name)) removed += 1
  }
  if (removed > 0) emit('retention.removed', 'uploads', removed)
}

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const replaceFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

/** Opens a file and truncates it. A file that it creates is for this user only. Rejects for a symbolic link. */
export const openPlainFile = (path: string): Promise<FileHandle> => open(path, replaceFlags, 0o600)

/** Writes as `writeFile`, for this user only, but rejects for a symbolic link. */
export async function writePlainFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await openPlainFile(path)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

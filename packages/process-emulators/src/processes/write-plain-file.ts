import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const replaceFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

/** Opens a file to be written from its beginning, for this user alone where it is made. Rejects where the path is a symbolic link. */
export const openPlainFile = (path: string): Promise<FileHandle> => open(path, replaceFlags, 0o600)

/** As `writeFile`, for this user alone, but rejects where the path is a symbolic link: what it leads to is another user's. */
export async function writePlainFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await openPlainFile(path)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

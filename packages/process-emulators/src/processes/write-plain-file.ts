import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export const replaceFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

/** As `writeFile`, but rejects where the path is a symbolic link: what it leads to is somebody else's. */
export async function writePlainFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, replaceFlags)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

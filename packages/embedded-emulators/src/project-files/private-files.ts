import { constants, mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'

/** For the server's user alone. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** As `mkdir` with its parents, for this user alone. What is there stays as it is. */
export async function makeDirectories(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: DIRECTORY_MODE })
}

/** As `mkdirSync`, for this user alone; with `recursive`, its parents too. */
export function makeDirectorySync(path: string, { recursive = false }: { readonly recursive?: boolean } = {}): void {
  mkdirSync(path, { recursive, mode: DIRECTORY_MODE })
}

/** As `open`; a file that it makes is for this user alone. */
export const openPrivate = (path: string, flags: string | number): Promise<FileHandle> => open(path, flags, FILE_MODE)

/** Takes the rights of every other user from a file that was copied. Rejects where a link is in its place. */
export async function closeToOthers(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    await file.chmod((await file.stat()).mode & DIRECTORY_MODE)
  } finally {
    await file.close()
  }
}

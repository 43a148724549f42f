import { constants, existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { hasCode } from './safe-path.ts'

/** Access for the user of the server only. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** Creates the directory and missing parents, for this user only. Existing ones stay unchanged. */
export function makeDirectories(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  // One by one: Node's own `recursive` never returns in /proc, and reports a read-only disk as ENOENT.
  for (const directory of missing) makeDirectory(directory)
}

/** Creates one directory, for this user only. Does nothing where the path exists. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Opens as `open` does. A file that it creates is for this user only. */
export const openPrivate = (path: string, flags: string | number): Promise<FileHandle> => open(path, flags, FILE_MODE)

/** Removes the permissions of other users from a file. Rejects where it is a link. */
export async function restrictToUser(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    await file.chmod((await file.stat()).mode & DIRECTORY_MODE)
  } finally {
    await file.close()
  }
}

/** Flushes the entries of the directory to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

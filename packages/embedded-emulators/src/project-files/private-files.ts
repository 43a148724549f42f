import { constants, existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { hasCode } from './safe-path.ts'

/** For the server's user alone. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** Makes the directory and the parents that it lacks, for this user alone. What is there stays as it is. */
export function makeDirectories(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  // One by one: Node's own `recursive` never returns in /proc, and reports a read-only disk as ENOENT.
  for (const directory of missing) makeDirectory(directory)
}

/** Makes one directory, for this user alone. Nothing happens where something is there. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
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

/** Puts the names in the directory on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

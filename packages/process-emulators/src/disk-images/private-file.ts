import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename } from 'node:fs/promises'
import { StoreFailure } from '@trivium/emulation-core'
import { Refusal } from '@trivium/emulation-core/ports'

/** Access for the user of the server only. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)

export const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')

/** Runs a task. Rejects with a `StoreFailure` where the disk is full, read-only or broken. */
export async function onDisk<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw isFull(error) || hasCode(error, 'EROFS', 'EIO') ? new StoreFailure(error) : error
  }
}

/** Finds a regular file. A link, a directory and anything else is not found. */
export async function findFile(path: string): Promise<Stats | undefined> {
  const entry = await findEntry(path)
  return entry?.isFile() ? entry : undefined
}

export async function findEntry(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Creates a directory for this user only. Rejects where the path is a link or a file. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { mode: DIRECTORY_MODE }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  if (!(await lstat(path)).isDirectory()) throw new Refusal('not-allowed', `'${path}' is not a directory.`)
}

/** Opens a file for writing, without following a link. */
export async function openForWriting(path: string, flags = 0): Promise<FileHandle> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags, FILE_MODE)
  const status = await file.stat()
  if (status.isFile() && status.nlink === 1) return file
  await file.close()
  throw new Refusal('not-allowed', `'${path}' is a link.`)
}

/** Creates an empty file. Rejects where the path exists. */
export async function createPrivateFile(path: string): Promise<void> {
  const file = await openForWriting(path, constants.O_CREAT | constants.O_EXCL)
  await file.close()
}

/** Replaces a file in one step. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`
  const file = await openForWriting(unfinished, constants.O_CREAT | constants.O_TRUNC)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

/** Flushes a file or the entries of a directory to the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

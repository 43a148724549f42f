import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants

/** Opens a directory. @returns `undefined` for another entry, also for a link to a directory */
export async function openDirectory(path: Buffer): Promise<FileHandle | undefined> {
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) return undefined
    throw error
  }
}

/** The status of an entry, without following a link. @returns `undefined` where it does not exist */
export const statusOf = (path: Buffer | string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch(ignoreAbsence)

export function ignoreAbsence(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

export const identityOfHandle = async (handle: FileHandle): Promise<string> =>
  identityOf(await handle.stat({ bigint: true }))

export const replaced = (path: string) => new VolumeRefusal('failed', `'${path}' was replaced while it was cloned`)

import { lstat } from 'node:fs/promises'
import type { FileStatus } from '@trivium/storage-core/ports'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'
import { withDirectory } from './volume-paths.ts'

/** Returns the status of an entry, without following a link, or `undefined` where it does not exist. */
export async function fileStatus(root: string, path: string): Promise<FileStatus | undefined> {
  try {
    return await withDirectory(root, path, async (directory) => {
      const status = await lstat(directory.path, { bigint: true })
      return {
        kind: status.isFile() ? 'file' : status.isDirectory() ? 'directory' : 'other',
        size: Number(status.size),
        identity: identityOf(status),
      }
    })
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}

import { lstat } from 'node:fs/promises'
import type { FileStatus } from '@trivium/storage-core/ports'
import { hasCode } from './error-code.ts'
import { withDirectory } from './volume-paths.ts'

/** Returns the kind and size of an entry, without following a link, or `undefined` where it does not exist. */
export async function fileStatus(root: string, path: string): Promise<FileStatus | undefined> {
  try {
    return await withDirectory(root, path, async (directory) => {
      const status = await lstat(directory.path)
      return { kind: status.isFile() ? 'file' : status.isDirectory() ? 'directory' : 'other', size: status.size }
    })
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}

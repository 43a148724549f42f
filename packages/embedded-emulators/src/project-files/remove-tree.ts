import { readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, isAbsent } from './safe-path.ts'
import { withDirectory } from './with-directory.ts'

/** Attempts to remove a directory, as another process can add a file while it is emptied. */
const MAX_ATTEMPTS = 3

/** Removes an entry of the directory with its contents. Removes links, but never their targets. */
export async function removeTree(directory: string, name: string): Promise<void> {
  const path = join(directory, name)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unlink(path)
    } catch (error) {
      if (isAbsent(error)) return
      // Deno removes an empty directory here, and reports the others as not empty.
      if (!hasCode(error, 'EISDIR', 'EPERM', 'ENOTEMPTY')) throw error
    }
    await withDirectory({ base: directory, parts: [name] }, async (held) => {
      for (const entry of await readdir(held)) await removeTree(held, entry)
    })
    try {
      return await rmdir(path)
    } catch (error) {
      if (isAbsent(error) && !hasCode(error, 'ENOTDIR')) return
      if (attempt === MAX_ATTEMPTS || !hasCode(error, 'ENOTEMPTY', 'EBUSY', 'ENOTDIR')) throw error
    }
  }
}

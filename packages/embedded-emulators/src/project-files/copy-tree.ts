import { constants } from 'node:fs'
import { copyFile, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictToUser } from './private-files.ts'
import { hasCode } from './safe-path.ts'
import { withDirectory } from './with-directory.ts'

/** Copies regular files and directories that `to` lacks. Ignores links, sockets and other entries. */
export const copyTree = async (from: string, to: string, exclude: (name: string) => boolean): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (exclude(name)) continue
    if (entry.isDirectory()) {
      await withDirectory({ base: from, parts: [name] }, (source) =>
        withDirectory({ base: to, parts: [name], make: true }, (target) => copyTree(source, target, () => false)),
      )
    } else if (entry.isFile()) await copyRegularFile(join(from, name), join(to, name))
  }
}

async function copyRegularFile(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await source.stat()).isFile()) return
    const path = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : from
    await copyFile(path, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await restrictToUser(to)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await source.close()
  }
}

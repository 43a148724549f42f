import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictToUser } from './private-files.ts'
import { hasCode } from './safe-path.ts'
import { withDirectory } from './with-directory.ts'

export interface CopyTreeOptions {
  /** Leaves out entries of the top directory. */
  readonly exclude: (name: string) => boolean
  /**
   * Keeps the permissions of files and directories, and as root also their owners, for what a container has written.
   * The copy must be in a directory that other users cannot enter.
   *
   * @default false: the copies are for the user of the server only
   */
  readonly keepOwners?: boolean
}

/** Copies regular files and directories that `to` lacks. Ignores links, sockets and other entries. */
export async function copyTree(from: string, to: string, options: CopyTreeOptions): Promise<void> {
  const { exclude, keepOwners = false } = options
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (exclude(name)) continue
    if (entry.isDirectory()) {
      await withDirectory({ base: from, parts: [name] }, (source) =>
        withDirectory({ base: to, parts: [name], make: true }, async (target) => {
          await copyTree(source, target, { ...options, exclude: () => false })
          if (keepOwners) await copyOwner(source, target)
        }),
      )
    } else if (entry.isFile()) await copyRegularFile(join(from, name), join(to, name), keepOwners)
  }
}

async function copyRegularFile(from: string, to: string, keepOwners: boolean): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await source.stat()).isFile()) return
    const path = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : from
    await copyFile(path, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    if (!keepOwners) return await restrictToUser(to)
    const target = await open(to, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      await setOwner(source, target)
    } finally {
      await target.close()
    }
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await source.close()
  }
}

async function copyOwner(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const target = await open(to, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await setOwner(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Without the bits that would let a program run as its owner. */
async function setOwner(source: FileHandle, target: FileHandle): Promise<void> {
  const { mode, uid, gid } = await source.stat()
  if (process.getuid?.() === 0) await target.chown(uid, gid)
  await target.chmod(mode & 0o777)
}

import { constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import { hasCode } from './error-code.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** The directory of a path's last name, held open so that no one can replace it. */
export interface HeldDirectory {
  /** A path through the open directory, for programs and calls that take paths. */
  readonly path: string
  readonly handle: FileHandle
  readonly name: string
}

/**
 * Walks to a path's directory name by name, each time from a directory that is held open. So the walk never leaves the
 * volume, even when directories are replaced meanwhile. Follows links inside the volume and refuses those that lead
 * out.
 */
export async function withDirectory<Result>(
  root: string,
  path: string,
  use: (directory: HeldDirectory) => Promise<Result>,
): Promise<Result> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const name = names.pop()
  if (name === undefined || name === '..') throw outside(path)
  const handle = await walk(root, names, path)
  try {
    return await use({ path: `${heldPath(handle)}/${name}`, handle, name })
  } finally {
    await handle.close()
  }
}

/** The kernel's own limit. */
const MAXIMUM_LINKS = 40

async function walk(root: string, names: readonly string[], path: string): Promise<FileHandle> {
  const openRoot = () => open(root, O_RDONLY | O_DIRECTORY)
  let handle = await openRoot()
  const moveTo = async (next: FileHandle): Promise<void> => {
    const previous = handle
    handle = next
    await previous.close()
  }
  const todo = [...names]
  let done: string[] = []
  try {
    for (let links = 0, name = todo.shift(); name !== undefined; name = todo.shift()) {
      if (name === '' || name === '.') continue
      if (name === '..') {
        if (done.pop() === undefined) throw outside(path)
        todo.unshift(...done)
        done = []
        await moveTo(await openRoot())
        continue
      }
      const next = await directoryOrTarget(handle, name)
      if (typeof next !== 'string') {
        done.push(name)
        await moveTo(next)
        continue
      }
      links += 1
      if (links > MAXIMUM_LINKS || next.startsWith('/')) throw outside(path)
      todo.unshift(...next.split('/'))
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens the directory of that name, or returns the target of the link of that name. */
async function directoryOrTarget(parent: FileHandle, name: string): Promise<FileHandle | string> {
  const path = `${heldPath(parent)}/${name}`
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR') && !hasCode(error, 'ELOOP')) throw error
    return readlink(path).catch((notALink: unknown) => {
      throw hasCode(notALink, 'EINVAL') ? error : notALink
    })
  }
}

/** A path of an open file, for this process and its children. */
export const heldPath = (handle: FileHandle): string => `/proc/${process.pid}/fd/${handle.fd}`

/** The entry in the same directory under which a clone is created. */
export function draftOf(id: string, to: HeldDirectory): HeldDirectory {
  const name = `.clone-${id}`
  return { ...to, name, path: `${to.path.slice(0, -to.name.length)}${name}` }
}

/** Opens an ordinary file of the volume. Refuses a link, a device or a directory. */
export async function openFile(directory: HeldDirectory, flags: number, mode?: number): Promise<FileHandle> {
  const handle = await open(directory.path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
  const status = await handle.stat()
  if (status.isFile()) return handle
  await handle.close()
  throw new VolumeRefusal('not-a-file', `'${directory.name}' is not an ordinary file`)
}

/** Opens an ordinary file as {@link openFile} does, or returns `undefined` where no entry has that name. */
export const openIfExists = (directory: HeldDirectory, flags: number): Promise<FileHandle | undefined> =>
  openFile(directory, flags).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })

const outside = (path: string) => new VolumeRefusal('outside-volume', `'${path}' leads out of the volume`)

import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, rmdir } from 'node:fs/promises'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import { hasCode } from '../files/error-code.ts'
import { heldPath } from '../files/volume-paths.ts'

/** Name of a directory that becomes a qtree. No qtree can have it. */
export const DRAFT_NAME = '.trivium-qtree'

/** The directories at the top of a volume, which can be qtrees. */
export interface QtreeDirectories {
  /**
   * Checks a name.
   *
   * @returns its path, whose last name must not be followed as a link.
   * @throws VolumeRefusal `not-found`
   */
  place(name: string): string
  /** Whether an entry has that name. Links count. */
  isTaken(name: string): Promise<boolean>
  /**
   * Holds a directory open, so that no one can replace it by a link, and passes a path that leads to it.
   *
   * @returns `undefined` where no directory has that name. A link to a directory does not count
   */
  hold<Result>(name: string, use: (directory: string) => Promise<Result>): Promise<Result | undefined>
  /** Creates a directory and renames it once it is prepared. Removes it where the preparation fails. */
  make(name: string, prepare: (directory: string) => Promise<void>): Promise<void>
}

export function qtreeDirectories(root: string): QtreeDirectories {
  const place = (name: string): string => {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || name === DRAFT_NAME) {
      throw new VolumeRefusal('not-found', `'${name}' cannot be the name of a qtree`)
    }
    return `${root}/${name}`
  }
  return {
    place,
    isTaken: async (name) => {
      return (await lstat(place(name)).catch(ignoreAbsence)) !== undefined
    },
    hold: async (name, use) => {
      const handle = await openDirectory(place(name))
      return handle && useAndClose(handle, use)
    },
    make: async (name, prepare) => {
      const draft = `${root}/${DRAFT_NAME}`
      const removeDraft = () => rmdir(draft).catch(ignoreAbsence)
      await removeDraft()
      await mkdir(draft, 0o700)
      try {
        const handle = await openDirectory(draft)
        if (handle) await useAndClose(handle, prepare)
        await rename(draft, place(name))
      } catch (error) {
        await removeDraft()
        throw error
      }
    },
  }
}

async function useAndClose<Result>(handle: FileHandle, use: (directory: string) => Promise<Result>): Promise<Result> {
  try {
    // The last dot makes the path a name of the directory itself, not of the link in `/proc`.
    return await use(`${heldPath(handle)}/.`)
  } finally {
    await handle.close()
  }
}

function ignoreAbsence(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error
}

async function openDirectory(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}

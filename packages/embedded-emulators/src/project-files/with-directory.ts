import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { onDisk } from './disk-failure.ts'
import { makeDirectories, makeDirectory } from './private-files.ts'
import { hasCode, isAbsent, isRealDirectory, requireSingleName } from './safe-path.ts'

/**
 * Whether entries can be addressed through an open directory, so that a replacement of the directory is never used.
 * On other systems each part of a path is checked before it is used.
 */
const canHold = process.platform === 'linux' && existsSync('/proc/self/fd')

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY

const open = (path: string, flags: number): number | undefined => {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (isAbsent(error) && !hasCode(error, 'ENOTDIR')) return undefined
    // A file is refused as a link is.
    if (hasCode(error, 'ELOOP', 'ENOTDIR'))
      throw new Refusal('not-allowed', `'${path}' is not a directory of the project.`)
    throw error
  }
}

export interface DirectoryPath {
  /** Links in this path are followed. */
  readonly base: string
  /** Links in these parts are refused. */
  readonly parts: readonly string[]
  /** Creates missing directories. @default false */
  readonly make?: boolean
}

/**
 * Calls `use` with a path that leads to the directory until `use` has resolved, even when a part is replaced.
 * Rejects with a `Refusal` where a part is a link or a file, and with a `StoreFailure` where the disk fails.
 *
 * @returns `undefined` where a part is missing
 */
export const withDirectory = <T>(directory: DirectoryPath, use: (path: string) => Promise<T>): Promise<T | undefined> =>
  onDisk(() => useDirectory(directory, use))

async function useDirectory<T>(
  { base, parts, make = false }: DirectoryPath,
  use: (path: string) => Promise<T>,
): Promise<T | undefined> {
  for (const part of parts) requireSingleName(part)
  if (make) makeDirectories(base)
  if (!canHold) {
    for (const index of parts.keys()) {
      if (make && (await isRealDirectory(base, ...parts.slice(0, index))))
        makeDirectory(join(base, ...parts.slice(0, index + 1)))
    }
    return (await isRealDirectory(base, ...parts)) ? use(join(base, ...parts)) : undefined
  }
  let held = open(base, directoryOnly)
  try {
    for (const part of parts) {
      if (held === undefined) return undefined
      const path = `/proc/self/fd/${held}/${part}`
      if (make) makeDirectory(path)
      const next = open(path, directoryOnly | constants.O_NOFOLLOW)
      closeSync(held)
      held = next
    }
    return held === undefined ? undefined : await use(`/proc/self/fd/${held}`)
  } finally {
    if (held !== undefined) closeSync(held)
  }
}

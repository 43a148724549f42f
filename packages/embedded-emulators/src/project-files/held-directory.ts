import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { onDisk } from './disk-failure.ts'
import { makeDirectories, makeDirectory } from './private-files.ts'
import { hasCode, isAbsent, isRealDirectory, requireSingleName } from './safe-path.ts'

/**
 * Whether a directory can be held open and its entries named through it, so that nothing that takes its place
 * meanwhile is ever used. Elsewhere every part of a path is looked at before it is used.
 */
const canHold = process.platform === 'linux' && existsSync('/proc/self/fd')

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY

const open = (path: string, flags: number): number | undefined => {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (isAbsent(error) && !hasCode(error, 'ENOTDIR')) return undefined
    // What is no directory is as foreign here as a link.
    if (hasCode(error, 'ELOOP', 'ENOTDIR'))
      throw new Refusal('not-allowed', `'${path}' is not a directory of the project`)
    throw error
  }
}

export interface WayDown {
  /** Links on the way to it are followed. */
  readonly base: string
  /** Below it, none is. */
  readonly parts: readonly string[]
  /** Makes what is missing. */
  readonly make?: boolean
}

/**
 * Calls `use` with a path that leads to the directory for as long as the call takes, whatever is put in the place of its
 * parts meanwhile. Rejects with a `Refusal` where a part is a link or a file, and with a `StoreFailure` where the disk fails.
 *
 * @returns `undefined` where a part is missing
 */
export const withDirectory = <T>(way: WayDown, use: (path: string) => Promise<T>): Promise<T | undefined> =>
  onDisk(() => walkDown(way, use))

async function walkDown<T>(
  { base, parts, make = false }: WayDown,
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

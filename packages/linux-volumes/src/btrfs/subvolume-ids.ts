import { lstat, stat } from 'node:fs/promises'
import { btrfs } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** The inode number of every subvolume's root: BTRFS_FIRST_FREE_OBJECTID. */
const SUBVOLUME_INODE = 256n

/** The ids of subvolumes, which a program has to be asked for. */
export interface SubvolumeIds {
  /** Asks. @param directory a path that leads to the subvolume and to nothing else */
  ask(directory: string): Promise<number>
  /**
   * Asks only for a subvolume that is new to it, so that a thousand of them cost one `stat` each.
   *
   * @param existing the ids that exist now: one that no longer does is not taken from memory
   */
  find(directory: string, existing: { has(id: number): boolean }): Promise<number>
}

export function subvolumeIds(run: RunProgram): SubvolumeIds {
  const known = new Map<string, number>()
  const ask = async (directory: string): Promise<number> => {
    const key = await keyOf(directory)
    const output = (await run(btrfs, ['inspect-internal', 'rootid', directory])).trim()
    const id = wholeNumber(output)
    if (id === undefined) throw new UnexpectedOutput('btrfs', output)
    for (const [other, its] of known) if (its === id) known.delete(other)
    known.set(key, id)
    return id
  }
  return {
    ask,
    find: async (directory, existing) => {
      const id = known.get(await keyOf(directory))
      return id !== undefined && existing.has(id) ? id : ask(directory)
    },
  }
}

/** Each subvolume has a device number while it is in use; a later one of that number was made at another time. */
async function keyOf(directory: string): Promise<string> {
  const { dev, birthtimeNs } = await stat(directory, { bigint: true })
  return `${dev}/${birthtimeNs}`
}

/** Whether what has that path itself, not what it links to, is a subvolume. */
export async function isSubvolume(path: string): Promise<boolean> {
  const status = await lstat(path, { bigint: true })
  return status.isDirectory() && status.ino === SUBVOLUME_INODE
}

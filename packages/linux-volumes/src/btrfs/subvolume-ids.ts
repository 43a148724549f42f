import type { BigIntStats } from 'node:fs'
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
   * Takes it from memory, so that a thousand of them cost one `lstat` each.
   *
   * @param existing the ids that exist now: one that no longer does is forgotten
   * @returns `undefined` for a subvolume that was not asked about yet
   */
  recall(status: BigIntStats, existing: { has(id: number): boolean }): number | undefined
  /** Asks about a subvolume that cannot be recalled. */
  find(directory: string, existing: { has(id: number): boolean }): Promise<number>
}

export function subvolumeIds(run: RunProgram): SubvolumeIds {
  const known = new Map<string, number>()
  const ask = async (directory: string): Promise<number> => {
    const key = keyOf(await stat(directory, { bigint: true }))
    const output = (await run(btrfs, ['inspect-internal', 'rootid', directory])).trim()
    const id = wholeNumber(output)
    if (id === undefined) throw new UnexpectedOutput('btrfs', output)
    for (const [other, its] of known) if (its === id) known.delete(other)
    known.set(key, id)
    return id
  }
  const recall: SubvolumeIds['recall'] = (status, existing) => {
    const id = known.get(keyOf(status))
    return id !== undefined && existing.has(id) ? id : undefined
  }
  return {
    ask,
    recall,
    find: async (directory, existing) =>
      recall(await stat(directory, { bigint: true }), existing) ?? (await ask(directory)),
  }
}

/** Each subvolume has a device number while it is in use; a later one of that number was made at another time. */
const keyOf = ({ dev, birthtimeNs }: BigIntStats): string => `${dev}/${birthtimeNs}`

/** The status of a subvolume that has that path itself; `undefined` where it is a link to one, or anything else. */
export async function subvolumeStatus(path: string): Promise<BigIntStats | undefined> {
  const status = await lstat(path, { bigint: true })
  return status.isDirectory() && status.ino === SUBVOLUME_INODE ? status : undefined
}

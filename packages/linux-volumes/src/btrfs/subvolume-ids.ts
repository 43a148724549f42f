import type { BigIntStats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { btrfs } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** `BTRFS_FIRST_FREE_OBJECTID`, the inode number of every subvolume's root. */
const SUBVOLUME_INODE = 256n

/** The ids of subvolumes. Reading one takes a program, so they are cached. */
export interface SubvolumeIds {
  /** Reads an id with a program. @param directory a path through an open handle, which cannot lead elsewhere */
  ask(directory: string): Promise<number>
  /**
   * Reads an id from the cache, so that each subvolume takes only an `lstat`.
   *
   * @param existing the ids that exist now. A cached id that is not among them is ignored
   * @returns `undefined` for a subvolume whose id is not cached
   */
  recall(status: BigIntStats, existing: { has(id: number): boolean }): number | undefined
  /** Adds an id that was read elsewhere. */
  learn(status: BigIntStats, id: number): void
}

export function subvolumeIds(run: RunProgram): SubvolumeIds {
  const known = new Map<string, number>()
  const keys = new Map<number, string>()
  const learn: SubvolumeIds['learn'] = (status, id) => {
    const key = keyOf(status)
    const former = keys.get(id)
    if (former !== undefined) known.delete(former)
    known.set(key, id)
    keys.set(id, key)
  }
  return {
    learn,
    async ask(directory) {
      const status = await stat(directory, { bigint: true })
      const output = (await run(btrfs, ['inspect-internal', 'rootid', directory])).trim()
      const id = wholeNumber(output)
      if (id === undefined) throw new UnexpectedOutput('btrfs', output)
      learn(status, id)
      return id
    },
    recall(status, existing) {
      const id = known.get(keyOf(status))
      return id !== undefined && existing.has(id) ? id : undefined
    },
  }
}

/** Whether both are the status of the same subvolume. */
export const isSameSubvolume = (one: BigIntStats, other: BigIntStats): boolean => keyOf(one) === keyOf(other)

/** Subvolumes in use have distinct device numbers. A later one with the same number has another creation time. */
const keyOf = ({ dev, birthtimeNs }: BigIntStats): string => `${dev}/${birthtimeNs}`

/** The status of the subvolume at a path. `undefined` for any other entry, also for a link to a subvolume. */
export async function subvolumeStatus(path: string): Promise<BigIntStats | undefined> {
  const status = await lstat(path, { bigint: true })
  return status.isDirectory() && status.ino === SUBVOLUME_INODE ? status : undefined
}

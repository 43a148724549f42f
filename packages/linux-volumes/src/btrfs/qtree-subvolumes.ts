import type { BigIntStats } from 'node:fs'
import { hasCode } from '../files/error-code.ts'
import type { RunProgram } from '../programs/run-program.ts'
import type { QtreeDirectories } from '../qtrees/qtree-directories.ts'
import { listSubvolumes } from './list-subvolumes.ts'
import { isSameSubvolume, subvolumeIds, subvolumeStatus } from './subvolume-ids.ts'

/** Up to so many ids are read one by one, which is faster than a list of every subvolume. */
const FEW = 4

/** Maximum number of directories whose status is read at the same time. */
const STATUS_BATCH = 64

/** The subvolumes at the top of a volume, by the names of their qtrees. */
export interface QtreeSubvolumes {
  /** The statuses of those that exist. */
  statuses(qtrees: readonly string[]): Promise<ReadonlyMap<string, BigIntStats>>
  /**
   * The ids of those that exist. Takes at most two programs for any number of qtrees, and another for each whose name
   * is not clear in a list.
   *
   * @param existing the ids that exist now
   */
  ids(
    statuses: ReadonlyMap<string, BigIntStats>,
    existing: { has(id: number): boolean },
  ): Promise<ReadonlyMap<string, number>>
  /** Reads an id with a program. @param directory a path through an open handle, which cannot lead elsewhere */
  askId(directory: string): Promise<number>
  /** Holds a qtree open. @returns `undefined` where no qtree has that name */
  hold<Result>(name: string, use: (directory: string) => Promise<Result>): Promise<Result | undefined>
}

export function qtreeSubvolumes(root: string, directories: QtreeDirectories, run: RunProgram): QtreeSubvolumes {
  const cached = subvolumeIds(run)

  const statusOf = async (qtree: string): Promise<BigIntStats | undefined> => {
    try {
      return await subvolumeStatus(directories.place(qtree))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }
  const statuses: QtreeSubvolumes['statuses'] = async (qtrees) => {
    const found = new Map<string, BigIntStats>()
    for (let start = 0; start < qtrees.length; start += STATUS_BATCH) {
      const batch = qtrees.slice(start, start + STATUS_BATCH)
      const ofBatch = await Promise.all(batch.map(statusOf))
      ofBatch.forEach((status, index) => {
        const name = batch[index]
        if (status && name !== undefined) found.set(name, status)
      })
    }
    return found
  }
  const hold: QtreeSubvolumes['hold'] = (name, use) =>
    directories.hold(name, async (directory) => ((await subvolumeStatus(directory)) ? use(directory) : undefined))

  /** Caches the ids of subvolumes that were in place while all subvolumes were listed. */
  const learnFromList = async (before: ReadonlyMap<string, BigIntStats>): Promise<void> => {
    const idsByName = await listSubvolumes(run, root, await cached.ask(root))
    const after = await statuses([...before.keys()])
    for (const [name, status] of before) {
      const id = idsByName.get(name)
      const later = after.get(name)
      if (id !== undefined && later && isSameSubvolume(status, later)) cached.learn(status, id)
    }
  }

  return {
    statuses,
    hold,
    askId: cached.ask,
    async ids(found, existing) {
      const ids = new Map<string, number>()
      const unknown = new Map<string, BigIntStats>()
      const recallAll = (from: ReadonlyMap<string, BigIntStats>) => {
        for (const [name, status] of from) {
          const id = cached.recall(status, existing)
          if (id !== undefined) ids.set(name, id)
          else unknown.set(name, status)
        }
      }
      recallAll(found)
      if (unknown.size > FEW) {
        await learnFromList(unknown)
        const listed = new Map(unknown)
        unknown.clear()
        recallAll(listed)
      }
      for (const name of unknown.keys()) {
        const id = await hold(name, cached.ask)
        if (id !== undefined) ids.set(name, id)
      }
      return ids
    },
  }
}

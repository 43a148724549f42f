import type { RunProgram } from '../programs/run-program.ts'
import { countOwners, type OwnerCounts } from './count-owners.ts'

/** Maximum number of qtrees that are held open and walked by one program. */
const WALK_BATCH = 128

/** Holds a qtree open and passes a path that leads to it. `undefined` where it does not exist. */
type HoldQtree = <Result>(name: string, use: (directory: string) => Promise<Result>) => Promise<Result | undefined>

/** Walks the qtrees that exist, many with one program. @returns the counts by the names of the qtrees */
export async function countQtrees(
  qtrees: readonly string[],
  hold: HoldQtree,
  run: RunProgram,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, OwnerCounts>> {
  const counts = new Map<string, OwnerCounts>()
  for (let start = 0; start < qtrees.length; start += WALK_BATCH) {
    const held: string[] = []
    const paths: string[] = []
    const batch = qtrees.slice(start, start + WALK_BATCH)
    const countHeld = async (index: number): Promise<readonly OwnerCounts[]> => {
      const qtree = batch[index]
      if (qtree === undefined) return countOwners(paths, run, signal)
      const counted = await hold(qtree, (directory) => {
        held.push(qtree)
        paths.push(directory)
        return countHeld(index + 1)
      })
      return counted ?? countHeld(index + 1)
    }
    const counted = await countHeld(0)
    for (const [index, qtree] of held.entries()) {
      const count = counted[index]
      if (count) counts.set(qtree, count)
    }
  }
  return counts
}

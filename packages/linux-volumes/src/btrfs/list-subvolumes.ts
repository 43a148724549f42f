import { btrfs } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/**
 * Reads the ids of the subvolumes inside a subvolume by their names. Paths are printed unescaped, so a user can forge
 * lines by a name with line breaks. All real lines are printed, so a name with a single line is correct for a subvolume
 * that exists. Names with several lines, or with line breaks, are left out.
 *
 * @param parent the id of the subvolume
 */
export async function listSubvolumes(
  run: RunProgram,
  root: string,
  parent: number,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  const repeated = new Set<string>()
  const onLine = (line: string) => {
    const [, first, second, path = ''] = /^ID (\d+) gen \d+ top level (\d+) path (.*)$/.exec(line) ?? []
    const id = wholeNumber(first)
    if (id === undefined || wholeNumber(second) !== parent) return
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (ids.has(name)) repeated.add(name)
    ids.set(name, id)
  }
  await run(btrfs, ['subvolume', 'list', root], { onLine })
  for (const name of repeated) ids.delete(name)
  return ids
}

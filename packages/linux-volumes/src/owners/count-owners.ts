import { find } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

export interface Count {
  /** Bytes of allocated blocks. */
  readonly space: number
  /** Files, directories and everything else with an inode. */
  readonly files: number
}

export interface OwnerCounts {
  readonly all: Count
  readonly users: ReadonlyMap<string, Count>
  readonly groups: ReadonlyMap<string, Count>
}

const COUNT_TIMEOUT_MS = 10 * 60_000

/**
 * Walks directories with one program, each inside its file system or subvolume, and adds up space and files by owner.
 *
 * @returns the counts of each directory, in order
 */
export async function countOwners(
  directories: readonly string[],
  run: RunProgram,
  signal?: AbortSignal,
): Promise<readonly OwnerCounts[]> {
  if (directories.length === 0) return []
  const all: { all: Count; users: Map<string, Count>; groups: Map<string, Count> }[] = []
  const onLine = (line: string) => {
    const [, depth, user, group, blocks] = /^(\d+) (\d+) (\d+) (\d+)$/.exec(line) ?? []
    const space = (wholeNumber(blocks) ?? Number.NaN) * 512
    // Each directory begins with itself, at the depth 0.
    if (depth === '0') all.push({ all: { space: 0, files: 0 }, users: new Map(), groups: new Map() })
    const counts = all.at(-1)
    if (!counts || !user || !group || !Number.isSafeInteger(space)) throw new UnexpectedOutput('find', line)
    counts.all = plus(counts.all, space)
    counts.users.set(user, plus(counts.users.get(user), space))
    counts.groups.set(group, plus(counts.groups.get(group), space))
  }
  await run(find, [...directories, '-xdev', '-ignore_readdir_race', '-printf', '%d %U %G %b\\n'], {
    timeoutMs: COUNT_TIMEOUT_MS,
    onLine,
    ...(signal && { signal }),
  })
  if (all.length !== directories.length) throw new UnexpectedOutput('find', `${all.length} directories`)
  return all
}

const plus = (count: Count | undefined, space: number): Count => ({
  space: (count?.space ?? 0) + space,
  files: (count?.files ?? 0) + 1,
})

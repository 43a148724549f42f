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

/** Walks a directory inside its file system or subvolume, and adds up space and files by owner. */
export async function countOwners(directory: string, run: RunProgram): Promise<OwnerCounts> {
  const counts = { all: { space: 0, files: 0 }, users: new Map<string, Count>(), groups: new Map<string, Count>() }
  const onLine = (line: string) => {
    const [, user, group, blocks] = /^(\d+) (\d+) (\d+)$/.exec(line) ?? []
    const space = (wholeNumber(blocks) ?? Number.NaN) * 512
    if (!user || !group || !Number.isSafeInteger(space)) throw new UnexpectedOutput('find', line)
    counts.all = plus(counts.all, space)
    counts.users.set(user, plus(counts.users.get(user), space))
    counts.groups.set(group, plus(counts.groups.get(group), space))
  }
  await run(find, [directory, '-xdev', '-printf', '%U %G %b\\n'], { timeoutMs: COUNT_TIMEOUT_MS, onLine })
  return counts
}

const plus = (count: Count | undefined, space: number): Count => ({
  space: (count?.space ?? 0) + space,
  files: (count?.files ?? 0) + 1,
})

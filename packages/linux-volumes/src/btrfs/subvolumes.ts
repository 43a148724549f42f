import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** The ids of the subvolumes inside one, the innermost first. */
export async function nestedSubvolumes(run: RunProgram, root: string, id: number): Promise<readonly number[]> {
  const { read, inside: claimedInside } = subvolumeClaims()
  await run(btrfs, ['subvolume', 'list', root], { onLine: read })
  const claimed = claimedInside(id)
  if (claimed.length === 0) return []
  const outer = await pathOf(run, root, id)
  const inside: { readonly id: number; readonly path: string }[] = []
  for (const one of claimed) {
    const path = await pathOf(run, root, one)
    if (outer !== undefined && path?.startsWith(`${outer}/`)) inside.push({ id: one, path })
  }
  return inside.sort((one, other) => other.path.length - one.path.length).map((one) => one.id)
}

/** What `btrfs subvolume list` prints, line by line. */
export interface SubvolumeClaims {
  readonly read: (line: string) => void
  /**
   * The ids that are printed as inside of another, in any order. It prints paths as they are: a user who names a
   * subvolume with a line break writes lines of it, so that each id is a claim, and no real one is missing.
   */
  readonly inside: (id: number) => readonly number[]
}

export function subvolumeClaims(): SubvolumeClaims {
  const claims = new Map<number, number[]>()
  return {
    read: (line) => {
      const [, first, second] = /^ID (\d+) gen \d+ top level (\d+) path /.exec(line) ?? []
      const [child, parent] = [wholeNumber(first), wholeNumber(second)]
      if (child === undefined || parent === undefined) return
      const children = claims.get(parent)
      // All may be in one: a new list for each would cost their square.
      if (children) children.push(child)
      else claims.set(parent, [child])
    },
    inside: (id) => {
      const inside = new Set([id])
      for (const parent of inside) for (const child of claims.get(parent) ?? []) inside.add(child)
      inside.delete(id)
      return [...inside]
    },
  }
}

/** From the top of the file system. Alone in its output, so that a line break does not make another line. */
async function pathOf(run: RunProgram, root: string, id: number): Promise<string | undefined> {
  try {
    return (await run(btrfs, ['inspect-internal', 'subvolid-resolve', String(id), root])).slice(0, -1)
  } catch (error) {
    if (error instanceof ProgramFailure) return undefined
    throw error
  }
}

import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** Reads the ids of the subvolumes inside a subvolume, innermost first. */
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

/** A parser of the output of `btrfs subvolume list`. */
export interface SubvolumeClaims {
  readonly read: (line: string) => void
  /**
   * Returns the ids that are printed as inside another, in any order. Paths are printed unescaped, so a user can forge
   * lines by a name with line breaks. Each id is only a claim, but all real ones are included.
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
      // Appended in place: copies would take quadratic time where all have one parent.
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

/** The path of a subvolume from the top of the file system. Read alone, so that a line break in it does not matter. */
async function pathOf(run: RunProgram, root: string, id: number): Promise<string | undefined> {
  try {
    return (await run(btrfs, ['inspect-internal', 'subvolid-resolve', String(id), root])).slice(0, -1)
  } catch (error) {
    if (error instanceof ProgramFailure) return undefined
    throw error
  }
}

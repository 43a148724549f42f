import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** The ids of the subvolumes inside one, the innermost first. */
export async function nestedSubvolumes(run: RunProgram, root: string, id: number): Promise<readonly number[]> {
  const claimed = claimedInside(id, await run(btrfs, ['subvolume', 'list', root]))
  if (claimed.length === 0) return []
  const outer = await pathOf(run, root, id)
  const inside: { readonly id: number; readonly path: string }[] = []
  for (const one of claimed) {
    const path = await pathOf(run, root, one)
    if (outer !== undefined && path?.startsWith(`${outer}/`)) inside.push({ id: one, path })
  }
  return inside.sort((one, other) => other.path.length - one.path.length).map((one) => one.id)
}

/**
 * The ids that `btrfs subvolume list` prints as inside of another, in any order. It prints paths as they are: a user who
 * names a subvolume with a line break writes lines of it, so that each id is a claim, and no real one is missing.
 */
export function claimedInside(id: number, output: string): readonly number[] {
  const claims = new Map<number, number[]>()
  for (const [, first, second] of output.matchAll(/^ID (\d+) gen \d+ top level (\d+) path /gm)) {
    const [child, parent] = [wholeNumber(first), wholeNumber(second)]
    if (child === undefined || parent === undefined) continue
    const children = claims.get(parent)
    // All may be in one: a new list for each would cost their square.
    if (children) children.push(child)
    else claims.set(parent, [child])
  }
  const inside = new Set([id])
  for (const parent of inside) for (const child of claims.get(parent) ?? []) inside.add(child)
  inside.delete(id)
  return [...inside]
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

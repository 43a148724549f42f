import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

interface Subvolume {
  readonly id: number
  readonly parent: number
}

/** What `btrfs subvolume list` prints, without the paths: whoever names directories names those. */
export function parseSubvolumes(output: string): readonly Subvolume[] {
  return output.split('\n').flatMap((line) => {
    if (line === '') return []
    const [, first, second] = /^ID (\d+) gen \d+ top level (\d+) path /.exec(line) ?? []
    const [id, parent] = [wholeNumber(first), wholeNumber(second)]
    if (id === undefined || parent === undefined) throw new UnexpectedOutput('btrfs', line)
    return { id, parent }
  })
}

/** A subvolume with all those inside, the innermost first. */
export function withNested(id: number, subvolumes: readonly Subvolume[]): readonly number[] {
  const nested = subvolumes.filter(({ parent }) => parent === id)
  return [...nested.flatMap((subvolume) => withNested(subvolume.id, subvolumes)), id]
}

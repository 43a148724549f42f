import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** A subvolume's quota group. */
export interface Qgroup {
  /** The subvolume's id: the group is `0/<id>`. */
  readonly subvolumeId: number
  /** Bytes that the subvolume refers to, shared or not, metadata included. */
  readonly referencedBytes: number
  readonly exclusiveBytes: number
  readonly maxReferencedBytes: number | undefined
}

/** What `btrfs qgroup show -re --raw` prints. Groups of higher levels are left out. */
export function parseQgroups(output: string): readonly Qgroup[] {
  const lines = output.split('\n')
  const rule = lines.findIndex((line) => /^-+(\s+-+)+\s*$/.test(line))
  if (rule < 1 || !/^Qgroupid\s+(Rfer|Referenced)\s+(Excl|Exclusive)\s+Max/i.test(lines[rule - 1] ?? '')) {
    throw new UnexpectedOutput('btrfs', lines[0] ?? '')
  }
  return lines.slice(rule + 1).flatMap((line) => {
    if (line.trim() === '') return []
    const [, level, id, referenced, exclusive, limit] =
      /^(\d+)\/(\d+)\s+(\d+)\s+(\d+)\s+(none|\d+)\s+(?:none|\d+)(?:\s|$)/.exec(line) ?? []
    const subvolumeId = wholeNumber(id)
    const referencedBytes = wholeNumber(referenced)
    const exclusiveBytes = wholeNumber(exclusive)
    const isUnlimited = limit === 'none'
    const maxReferencedBytes = isUnlimited ? undefined : wholeNumber(limit)
    if (
      subvolumeId === undefined ||
      referencedBytes === undefined ||
      exclusiveBytes === undefined ||
      (maxReferencedBytes === undefined && !isUnlimited)
    ) {
      throw new UnexpectedOutput('btrfs', line)
    }
    return level === '0' ? { subvolumeId, referencedBytes, exclusiveBytes, maxReferencedBytes } : []
  })
}

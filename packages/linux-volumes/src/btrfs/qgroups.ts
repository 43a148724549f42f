import type { Size } from '@trivium/storage-core/ports'
import { btrfs } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber, wholeSize } from '../programs/whole-number.ts'

/** The quota group of a subvolume. */
export interface Qgroup {
  /** The id of the subvolume. The group is `0/<id>`. */
  readonly subvolumeId: number
  /** Bytes that the subvolume refers to, shared or not, metadata included. */
  readonly referencedBytes: number
  readonly exclusiveBytes: number
  readonly maxReferencedBytes: Size | undefined
}

/**
 * The output of `btrfs qgroup show -re --raw` for a file system. It prints paths of subvolumes unescaped, so a user can
 * forge rows by a name with line breaks. All real rows are printed, so an id with a single row is correct.
 */
export interface QgroupTable {
  /** Groups by the id of the subvolume. Groups of higher levels are left out. */
  readonly groups: ReadonlyMap<number, Qgroup>
  /** Ids with several rows, or with a row that is not understood. {@link showQgroup} returns the real one. */
  readonly doubtful: ReadonlySet<number>
}

const showArguments = ['qgroup', 'show', '-re', '--raw'] as const

/**
 * Reads the groups of all subvolumes. Rejects with `UnexpectedOutput` where no table is printed, or with
 * `ProgramFailure`.
 */
export async function showQgroups(run: RunProgram, root: string): Promise<QgroupTable> {
  const groups = new Map<number, Qgroup>()
  const doubtful = new Set<number>()
  await readRows(run, [root], (row) => {
    const { id, group } = parseRow(row) ?? {}
    if (id === undefined) return
    if (group === undefined || groups.has(id)) doubtful.add(id)
    if (group !== undefined) groups.set(id, group)
  })
  return { groups, doubtful }
}

/** Reads the group of one subvolume. Its row is the first, and rows that its path forges follow. */
export async function showQgroup(run: RunProgram, directory: string): Promise<Qgroup> {
  let first: string | undefined
  await readRows(run, ['-f', directory], (row) => {
    first ??= row
  })
  const { group } = parseRow(first ?? '') ?? {}
  if (group === undefined) throw new UnexpectedOutput('btrfs', first ?? '')
  return group
}

async function readRows(run: RunProgram, args: readonly string[], onRow: (row: string) => void): Promise<void> {
  let first: string | undefined
  let previous = ''
  let isWithin = false
  const onLine = (line: string) => {
    first ??= line
    if (isWithin) onRow(line)
    else if (/^-+(\s+-+)+\s*$/.test(line)) {
      if (!/^Qgroupid\s+(Rfer|Referenced)\s+(Excl|Exclusive)\s+Max/i.test(previous)) {
        throw new UnexpectedOutput('btrfs', first)
      }
      isWithin = true
    }
    previous = line
  }
  await run(btrfs, [...showArguments, ...args], { onLine })
  if (!isWithin) throw new UnexpectedOutput('btrfs', first ?? '')
}

/**
 * @returns `undefined` where the row is not one of a subvolume's group. Without `group` where its figures are not
 * understood
 */
function parseRow(row: string): { readonly id: number; readonly group?: Qgroup } | undefined {
  const [head, digits] = /^0\/(\d+)\s/.exec(row) ?? []
  const id = wholeNumber(digits)
  if (head === undefined || id === undefined) return undefined
  const [, referenced, exclusive, limit] =
    /^(\d+)\s+(\d+)\s+(none|\d+)\s+(?:none|\d+)(?:\s|$)/.exec(row.slice(head.length).trimStart()) ?? []
  const referencedBytes = wholeNumber(referenced)
  const exclusiveBytes = wholeNumber(exclusive)
  const isUnlimited = limit === 'none'
  const maxReferencedBytes = isUnlimited ? undefined : wholeSize(limit)
  if (referencedBytes === undefined || exclusiveBytes === undefined) return { id }
  if (maxReferencedBytes === undefined && !isUnlimited) return { id }
  return { id, group: { subvolumeId: id, referencedBytes, exclusiveBytes, maxReferencedBytes } }
}

import type { Size } from '@trivium/storage-core/ports'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber, wholeSize } from '../programs/whole-number.ts'

/** Usage and limits of one user, group or project. */
export interface QuotaLine {
  /** The number of the user, group or project. */
  readonly id: string
  /** Used space in bytes. */
  readonly space: number
  readonly files: number
  /** Hard limit in units of 1 KiB. 0 where there is no limit. */
  readonly blocksHard: Size
  /** Hard limit of files. 0 where there is no limit. */
  readonly filesHard: Size
  /** Whether any limit is set. */
  readonly limited: boolean
  /** Whether a soft limit is set. */
  readonly soft: boolean
}

/** Parses the output of `repquota -n -O csv`, which has blocks of 1 KiB and ids as `#1000`. @throws UnexpectedOutput */
export function parseQuotaReport(output: string): readonly QuotaLine[] {
  const lines = output.split('\n')
  const header = lines.findIndex((line) => /^(User|Group|Project),BlockStatus,FileStatus,BlockUsed,/.test(line))
  if (header < 0) throw new UnexpectedOutput('repquota', lines[0] ?? '')
  const names = (lines[header] ?? '').split(',')
  const column = (name: string): number => {
    const index = names.indexOf(name)
    if (index < 0) throw new UnexpectedOutput('repquota', lines[header] ?? '')
    return index
  }
  const columns = ['BlockUsed', 'FileUsed', 'BlockHardLimit', 'FileHardLimit', 'BlockSoftLimit', 'FileSoftLimit'].map(
    column,
  )
  return lines.slice(header + 1).flatMap((line) => {
    if (line === '') return []
    const cells = line.split(',')
    const [, id] = /^#(\d+)$/.exec(cells[0] ?? '') ?? []
    const [blocks, files] = columns.slice(0, 2).map((index) => wholeNumber(cells[index]))
    const limits = columns.slice(2).map((index) => wholeSize(cells[index]))
    const space = (blocks ?? Number.NaN) * 1024
    const [blocksHard, filesHard] = limits
    if (id === undefined || !Number.isSafeInteger(space) || files === undefined || limits.includes(undefined)) {
      throw new UnexpectedOutput('repquota', line)
    }
    const hard = { blocksHard: blocksHard ?? 0, filesHard: filesHard ?? 0 }
    return { id, space, files, ...hard, limited: limits.some(isSet), soft: limits.slice(2).some(isSet) }
  })
}

const isSet = (limit: Size | undefined): boolean => limit !== 0

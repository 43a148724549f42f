import { btrfs, xargs } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'

/** A limit of a subvolume in bytes, `undefined` for none. */
export interface SubvolumeLimit {
  readonly id: number
  readonly bytes: number | undefined
}

const PROCESSES = 4
const LIMIT_TIMEOUT_MS = 10 * 60_000

/** The arguments of `btrfs` that limit a subvolume. @param path of the file system */
export const limitArguments = ({ id, bytes }: SubvolumeLimit, path: string): readonly string[] => [
  'qgroup',
  'limit',
  bytes === undefined ? 'none' : String(bytes),
  `0/${id}`,
  path,
]

/**
 * Limits many subvolumes. `btrfs` limits one at a time, and `xargs` starts it several times faster than this process.
 * Rejects with `ProgramFailure` where one of them failed. Others are limited then.
 */
export async function limitSubvolumes(run: RunProgram, root: string, limits: readonly SubvolumeLimit[]): Promise<void> {
  const rows = limits.map((limit) => limitArguments(limit, root))
  const input = rows.flatMap((row) => row.map((word) => `${word}\0`)).join('')
  const perProcess = String(rows[0]?.length ?? 1)
  await run(xargs, ['-0', '-n', perProcess, '-P', String(PROCESSES), btrfs.name], {
    input,
    timeoutMs: LIMIT_TIMEOUT_MS,
  })
}

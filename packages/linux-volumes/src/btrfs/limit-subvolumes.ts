import type { Size } from '@trivium/storage-core/ports'
import { btrfs, perl, xargs } from '../programs/programs.ts'
import { MissingProgram, type RunProgram } from '../programs/run-program.ts'

/** A limit of a subvolume in bytes, `undefined` for none. */
export interface SubvolumeLimit {
  readonly id: number
  readonly bytes: Size | undefined
}

const PROCESSES = 4
const LIMIT_TIMEOUT_MS = 10 * 60_000

/** `BTRFS_IOC_QGROUP_LIMIT`, which has another number on the architectures below. */
const LIMIT_REQUEST = 0x8030942b
const otherNumbers = new Set(['mips', 'mipsel', 'ppc', 'ppc64'])

/** The largest number of 64 bits, which the kernel takes for no limit. */
const NO_LIMIT = '18446744073709551615'

/**
 * Reads lines of an id and a number of bytes. Sets the limit of each as `btrfs qgroup limit` does, by a
 * `btrfs_ioctl_qgroup_limit_args` with the flag for referenced bytes. Uses no module, so that `perl-base` is enough.
 */
const LIMIT_SCRIPT = `
my ($request, $root) = @ARGV;
open(my $volume, '<', $root) or die "$!\\n";
my $failure;
while (<STDIN>) {
  my ($id, $bytes) = split;
  ioctl($volume, $request, pack('Q6', $id, 1, $bytes, 0, 0, 0)) or $failure = "$!";
}
die "$failure\\n" if defined $failure;
`

/** The arguments of `btrfs` that limit a subvolume. @param path of the file system */
export const limitArguments = ({ id, bytes }: SubvolumeLimit, path: string): readonly string[] => [
  'qgroup',
  'limit',
  bytes === undefined ? 'none' : String(bytes),
  `0/${id}`,
  path,
]

/**
 * Limits many subvolumes. `btrfs` limits one at a time, so `perl` makes the same calls in one process. Where it is not
 * installed, `xargs` starts `btrfs` for each. Rejects with `ProgramFailure` where one of them failed. Others are
 * limited then.
 */
export async function limitSubvolumes(run: RunProgram, root: string, limits: readonly SubvolumeLimit[]): Promise<void> {
  if (otherNumbers.has(process.arch)) return limitOneByOne(run, root, limits)
  const input = limits.map(({ id, bytes }) => `${id} ${bytes ?? NO_LIMIT}\n`).join('')
  try {
    await run(perl, ['-e', LIMIT_SCRIPT, String(LIMIT_REQUEST), root], { input, timeoutMs: LIMIT_TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    await limitOneByOne(run, root, limits)
  }
}

/** Limits each with a program. `xargs` starts them several times faster than this process. */
async function limitOneByOne(run: RunProgram, root: string, limits: readonly SubvolumeLimit[]): Promise<void> {
  const rows = limits.map((limit) => limitArguments(limit, root))
  const input = rows.flatMap((row) => row.map((word) => `${word}\0`)).join('')
  const perProcess = String(rows[0]?.length ?? 1)
  await run(xargs, ['-0', '-n', perProcess, '-P', String(PROCESSES), btrfs.name], {
    input,
    timeoutMs: LIMIT_TIMEOUT_MS,
  })
}

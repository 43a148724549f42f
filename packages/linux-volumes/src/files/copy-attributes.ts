import type { FileHandle } from 'node:fs/promises'
import { perl } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { attributeCalls } from './attribute-calls.ts'
import { heldPath } from './volume-paths.ts'

/** An open file or directory, and the open clone that gets its attributes. */
export interface AttributePair {
  readonly original: FileHandle
  readonly clone: FileHandle
}

/**
 * Reads lines of two paths, and copies the extended attributes of the first to the second. Also removes the access lists
 * that the second has inherited from its directory. Uses no module, so that `perl-base` is enough.
 */
const COPY_SCRIPT = `
my ($list, $get, $set, $remove) = @ARGV;
my ($most, $no_data) = (65536, 61);
sub names {
  my ($path) = @_;
  my $buffer = "\\0" x $most;
  my $size = syscall($list, $path, $buffer, $most);
  die "$!\\n" if $size < 0;
  return map { "$_\\0" } split(/\\0/, substr($buffer, 0, $size));
}
while (<STDIN>) {
  my ($from, $to) = split;
  my %kept;
  for my $name (names($from)) {
    my $value = "\\0" x $most;
    my $size = syscall($get, $from, $name, $value, $most);
    next if $size < 0 && $! == $no_data;
    die "$!\\n" if $size < 0 || syscall($set, $to, $name, $value, $size, 0) < 0;
    $kept{$name} = 1;
  }
  for my $name (names($to)) {
    next if $kept{$name} || $name !~ /^system\\.posix_acl_/;
    die "$!\\n" if syscall($remove, $to, $name) < 0;
  }
}
`

/**
 * Copies the extended attributes of each pair, access lists included, with one program.
 *
 * @throws VolumeRefusal `unsupported` where the processor is not known
 */
export async function copyAttributes(pairs: readonly AttributePair[], run: RunProgram): Promise<void> {
  if (pairs.length === 0) return
  const { list, get, set, remove } = attributeCalls()
  const input = pairs.map(({ original, clone }) => `${heldPath(original)} ${heldPath(clone)}\n`).join('')
  await run(perl, ['-e', COPY_SCRIPT, ...[list, get, set, remove].map(String)], { input })
}

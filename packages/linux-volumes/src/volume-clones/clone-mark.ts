import { attributeCalls } from '../files/attribute-calls.ts'
import { perl } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'

/** Only root can read and set an attribute of this kind. */
const ATTRIBUTE = 'trusted.trivium.clone'

const SET_SCRIPT = `
my ($set, $path, $name, $value) = @ARGV;
die "$!\\n" if syscall($set, $path, $name, $value, length($value), 0) < 0;
`

/** Prints an attribute, or no text where it is absent. */
const GET_SCRIPT = `
my ($get, $path, $name) = @ARGV;
my ($most, $no_data) = (256, 61);
my $value = "\\0" x $most;
my $size = syscall($get, $path, $name, $value, $most);
die "$!\\n" if $size < 0 && $! != $no_data;
print substr($value, 0, $size) if $size > 0;
`

/** Marks a directory as the clone of that id. @param directory a path through an open handle */
export async function setCloneMark(directory: string, id: string, run: RunProgram): Promise<void> {
  await run(perl, ['-e', SET_SCRIPT, String(attributeCalls().set), directory, ATTRIBUTE, id])
}

/** Reads the id of a clone. @param directory as in {@link setCloneMark}. @returns an empty text without a mark */
export const cloneMark = (directory: string, run: RunProgram): Promise<string> =>
  run(perl, ['-e', GET_SCRIPT, String(attributeCalls().get), directory, ATTRIBUTE])

import { findProgram, usualProgramDirectories } from '../processes/find-program.ts'

/** A program and its arguments. */
export interface TerminalCommand {
  readonly program: string
  readonly parameters: readonly string[]
}

/**
 * What runs a program on a terminal of its own whose keyboard and screen are the standard input and output. VPCS runs on
 * a terminal only, or listens on a TCP port that anyone may connect to.
 */
export async function onTerminal(
  program: string,
  parameters: readonly string[],
  directories: readonly string[],
): Promise<TerminalCommand> {
  const script = await findProgram({
    program: 'script',
    directories: [...new Set([...directories, ...usualProgramDirectories])],
    title: 'script, whose terminal VPCS needs,',
    debianPackage: 'bsdutils',
  })
  const line = ['exec', ...[program, ...parameters].map(quoted)].join(' ')
  return { program: script, parameters: ['-q', '-e', '-f', '-c', line, '/dev/null'] }
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

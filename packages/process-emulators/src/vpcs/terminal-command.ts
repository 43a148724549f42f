import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'

/** A program and its arguments. */
export interface TerminalCommand {
  readonly program: string
  readonly parameters: readonly string[]
}

/**
 * Returns the command that runs a program on its own terminal, connected to the standard input and output. Without a
 * terminal, VPCS listens on a TCP port to which everyone can connect.
 */
export async function terminalCommand(
  program: string,
  parameters: readonly string[],
  directories: readonly string[],
): Promise<TerminalCommand> {
  const script = await findProgram({
    program: 'script',
    directories: [...new Set([...directories, ...defaultProgramDirectories])],
    title: 'script, which gives VPCS a terminal,',
    debianPackage: 'bsdutils',
  })
  const line = ['exec', ...[program, ...parameters].map(quoted)].join(' ')
  return { program: script, parameters: ['-q', '-e', '-f', '-c', line, '/dev/null'] }
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

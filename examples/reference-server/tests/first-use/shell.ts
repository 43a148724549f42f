import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ShellOptions {
  readonly directory: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs lines in a shell, one after the other. @returns the output of the shell and of its programs */
export async function paste(shell: string, lines: readonly string[], options: ShellOptions): Promise<string> {
  const child = spawn(shell, [], {
    cwd: options.directory,
    env: { PATH: process.env.PATH, ...options.environment },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  await once(child, 'close')
  return printed
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ChildProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** Matches the line that the program prints when it is ready. */
  readonly ready: RegExp
  /** Called for every line of its standard error. */
  readonly onError?: (line: string) => void
}

export interface ChildProgram {
  /** The line that matched `ready`. */
  readonly readyLine: string
  /** Resolves with the exit code, or the signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  signal(name: NodeJS.Signals): void
}

/** Starts a program and resolves once it prints that it is ready. Rejects with its output where it ends before. */
export async function startChild({
  program,
  args,
  environment = process.env,
  ready,
  onError = () => undefined,
}: ChildProgramOptions): Promise<ChildProgram> {
  const child: ChildProcess = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  ended.catch(() => undefined)
  const readyLine = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    ended.then(() => reject(new Error(`${program} ended at its start:\n${printed.join('\n')}`)), reject)
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface(stream).on('line', (line) => {
        if (printed.length < 100) printed.push(line)
        if (stream === child.stderr) onError(line)
        if (ready.test(line)) resolve(line)
      })
    }
  })
  return { readyLine, ended, signal: (name) => void child.kill(name) }
}

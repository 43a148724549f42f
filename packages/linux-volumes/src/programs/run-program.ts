import { type ChildProcess, spawn } from 'node:child_process'

/** A program of the system that a volume needs. */
export interface Program {
  readonly name: string
  /** The Debian package that brings it. */
  readonly package: string
}

export type RunProgram = (program: Program, args: readonly string[], options?: RunOptions) => Promise<string>

export interface RunOptions {
  /** After that the program is killed. @default that of the runner */
  readonly timeoutMs?: number
  /** @default 64 MiB */
  readonly maxOutputBytes?: number
}

export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'

  readonly program: Program

  constructor(program: Program) {
    super(`${program.name} is not installed; install the package ${program.package}`)
    this.program = program
  }
}

export class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure'

  readonly program: string
  /** `undefined` where it was killed, after its time or for its output. */
  readonly exitCode: number | undefined
  readonly errorText: string

  constructor(program: string, exitCode: number | undefined, errorText: string) {
    super(`${program} ${exitCode === undefined ? 'was killed' : `ended with ${exitCode}`}: ${errorText}`)
    this.program = program
    this.exitCode = exitCode
    this.errorText = errorText
  }
}

export interface ProgramRunnerOptions {
  /** Directories, separated by colons. @default '/usr/sbin:/usr/bin:/sbin:/bin' */
  readonly path?: string
  /** @default 60,000 */
  readonly timeoutMs?: number
}

const ERROR_BYTES = 2 ** 16

/**
 * Runs programs without a shell, in the C locale, with nothing of the server's environment, and answers their output.
 * One that takes too long, or prints too much, is killed with all that it started; nobody waits for its end, which may
 * never come while the kernel is stuck.
 *
 * Rejects with `MissingProgram` or `ProgramFailure`.
 */
export function programRunner({
  path = '/usr/sbin:/usr/bin:/sbin:/bin',
  timeoutMs: usualTimeoutMs = 60_000,
}: ProgramRunnerOptions = {}): RunProgram {
  return (program, args, { timeoutMs = usualTimeoutMs, maxOutputBytes = 2 ** 26 } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(program.name, [...args], {
        env: { PATH: path, LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const fail = (exitCode: number | undefined, text: string) => {
        clearTimeout(timer)
        reject(new ProgramFailure(program.name, exitCode, text))
      }
      const kill = (why: string) => {
        killGroup(child)
        fail(undefined, why)
      }
      const timer = setTimeout(() => kill(`it took longer than ${timeoutMs / 1000} seconds`), timeoutMs)
      const output: Buffer[] = []
      let outputBytes = 0
      let errors = ''
      child.stdout.on('data', (chunk: Buffer) => {
        outputBytes += chunk.length
        if (outputBytes > maxOutputBytes) kill(`it printed more than ${maxOutputBytes} bytes`)
        else output.push(chunk)
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors = (errors + text).slice(-ERROR_BYTES)
      })
      child.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        reject(error.code === 'ENOENT' ? new MissingProgram(program) : error)
      })
      child.on('close', (exitCode, signal) => {
        clearTimeout(timer)
        if (exitCode === 0) resolve(Buffer.concat(output).toString())
        else fail(exitCode ?? undefined, lastLine(errors) || `it ended by ${signal ?? 'itself'}`)
      })
    })
}

/** A process of its own group, so with everything that it started and that holds its output open. */
function killGroup({ pid, stdout, stderr }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended in this moment.
  }
  stdout?.destroy()
  stderr?.destroy()
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

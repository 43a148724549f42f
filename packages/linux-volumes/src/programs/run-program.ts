import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { UnexpectedOutput } from './unexpected-output.ts'

/** A program of the system that a volume needs. */
export interface Program {
  readonly name: string
  /** The Debian package that contains the program. */
  readonly package: string
}

export type RunProgram = (program: Program, args: readonly string[], options?: RunOptions) => Promise<string>

export interface RunOptions {
  /** Time after which the program is killed, in milliseconds. @default that of the runner */
  readonly timeoutMs?: number
  /** Limit of the output in bytes, or with `onLine`, of one line in characters. @default 64 MiB */
  readonly maxOutputBytes?: number
  /**
   * Receives each line as it is printed, without its line end. The returned output is empty then. For outputs that grow
   * with the number of files: the event loop runs between pieces of at most 128 KiB. An error that it throws kills the
   * program and rejects the call.
   */
  readonly onLine?: (line: string) => void
  /** The standard input. @default none */
  readonly input?: string
  /** Kills the program when it aborts, and the call rejects. */
  readonly signal?: AbortSignal
}

/** A program is not installed. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'

  readonly program: Program

  constructor(program: Program) {
    super(`${program.name} is not installed; install the package ${program.package}`)
    this.program = program
  }
}

/** A program failed or was killed. */
export class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure'

  readonly program: string
  /** The exit status. `undefined` where the program was killed, also by this process for its time or its output. */
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
  /** Time after which a program is killed, in milliseconds. @default 60000 */
  readonly timeoutMs?: number
}

const ERROR_BYTES = 2 ** 16

/**
 * Runs programs without a shell, in the C locale, without the server's environment, and returns their output. Kills a
 * program that takes too long or prints too much, with all its children. The call does not wait for their end, since a
 * stuck kernel can delay it without a limit.
 *
 * Rejects with `MissingProgram`, `ProgramFailure` or the error of `onLine`.
 */
export function programRunner({
  path = '/usr/sbin:/usr/bin:/sbin:/bin',
  timeoutMs: usualTimeoutMs = 60_000,
}: ProgramRunnerOptions = {}): RunProgram {
  return async (
    program,
    args,
    { timeoutMs = usualTimeoutMs, maxOutputBytes = 2 ** 26, onLine, input, signal } = {},
  ) => {
    // A large module, so it is loaded with the first program.
    const { execa } = await import('execa')
    const running = execa(program.name, args, {
      // The server's own directory may be deleted, or not permitted for its user.
      cwd: '/',
      env: { PATH: path, LC_ALL: 'C' },
      extendEnv: false,
      ...(input === undefined ? { stdin: 'ignore' } : { input }),
      encoding: 'buffer',
      buffer: { stdout: onLine === undefined, stderr: false },
      stripFinalNewline: false,
      maxBuffer: maxOutputBytes,
      killSignal: 'SIGKILL',
      killDescendants: true,
      cleanup: false,
      reject: false,
      ...(signal && { cancelSignal: signal }),
    })
    let errors = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-ERROR_BYTES)
    })
    const failure = (exitCode: number | undefined, text: string) => new ProgramFailure(program.name, exitCode, text)
    const reading = onLine && readLines(running.stdout, onLine, maxOutputBytes)
    reading?.catch(() => running.kill())
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      running.kill()
      // Processes that have left the group may keep the outputs open.
      running.stdout.destroy()
      running.stderr.destroy()
      timeout.reject(failure(undefined, `it took longer than ${timeoutMs / 1000} seconds`))
    }, timeoutMs)
    const ended = Promise.all([running, reading])
    const [result] = await Promise.race([ended, timeout.promise]).finally(() => clearTimeout(timer))
    const { exitCode, signal: endedBy, stdout, code, cause } = result
    if (code === 'ENOENT') throw new MissingProgram(program)
    // It may have ended before it was killed.
    if (signal?.aborted) throw failure(undefined, 'it was cancelled')
    if (result.isMaxBuffer) throw failure(undefined, `it printed more than ${maxOutputBytes} bytes`)
    if (exitCode === 0) return stdout === undefined ? '' : Buffer.from(stdout).toString()
    if (exitCode === undefined && endedBy === undefined && !result.isCanceled) throw cause ?? result
    throw failure(exitCode, lastLine(errors) || `it ended by ${endedBy ?? 'itself'}`)
  }
}

async function readLines(output: Readable, onLine: (line: string) => void, maximum: number): Promise<void> {
  let rest = ''
  for await (const piece of output.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maximum) throw new UnexpectedOutput('a program', rest)
    for (const line of lines) onLine(line)
    // Otherwise a full pipe would be read further without yielding to the event loop.
    await setImmediate()
  }
  if (rest !== '') onLine(rest)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

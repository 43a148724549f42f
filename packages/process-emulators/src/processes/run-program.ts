import { Refusal } from '@trivium/emulation-core/ports'
import { confinedCommand } from './confined-command.ts'
import type { ProcessEnvironment } from './process-environment.ts'

export interface RunOptions {
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: ProcessEnvironment
  readonly directory?: string
  readonly timeoutMs: number
  /** The limit of each of the two outputs. A program that prints more is ended. @default 1 MiB */
  readonly outputBytes?: number
  /** Runs it with the privileges of the server, for a program that starts set-user-id ones. @default false */
  readonly unconfined?: boolean
}

export interface RunResult {
  /** `undefined` when a signal ended the program. */
  readonly exitCode: number | undefined
  readonly output: string
  readonly errorOutput: string
}

/**
 * Runs a program to its end, confined and without input. Rejects with a `failed` refusal when it can't be run, takes
 * too long or prints too much. An exit code other than 0 is a result.
 */
export async function runProgram(options: RunOptions): Promise<RunResult> {
  const { program, timeoutMs } = options
  const { result, isLate } = await runToEnd(options)
  if (result.isMaxBuffer) throw new Refusal('failed', `${program} has printed too much output.`)
  if (isLate) throw new Refusal('failed', `${program} has timed out after ${timeoutMs / 1000} seconds`)
  const { exitCode, signal, stdout, stderr, originalMessage, cause } = result
  if (exitCode === undefined && signal === undefined) throw notRun(program, originalMessage, cause)
  return { exitCode, output: text(stdout), errorOutput: text(stderr) }
}

async function runToEnd({ program, parameters, directory, outputBytes = 1024 * 1024, ...options }: RunOptions) {
  const command = options.unconfined ? { program, parameters } : confinedCommand(program, parameters)
  // The package is large, so it is loaded with the first program.
  const { execa } = await import('execa')
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  try {
    const running = execa(command.program, command.parameters, {
      // The directory of the server can be deleted, or not accessible to its user.
      cwd: directory ?? '/',
      env: options.environment,
      extendEnv: false,
      stdin: 'ignore',
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: outputBytes,
      killSignal: 'SIGKILL',
      killDescendants: true,
      cleanup: false,
      reject: false,
    })
    timer = setTimeout(() => {
      isLate = true
      running.kill()
      // A process that has left its group can keep the outputs open.
      running.stdout.destroy()
      running.stderr.destroy()
    }, options.timeoutMs)
    const result = await running
    return { result, isLate }
  } catch (cause) {
    throw notRun(program, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    clearTimeout(timer)
  }
}

const notRun = (program: string, reason: string | undefined, cause: unknown): Refusal =>
  new Refusal('failed', `${program} could not be run: ${reason?.slice(0, 200)}`, { cause })

const text = (output: Uint8Array): string => Buffer.from(output).toString('utf8')

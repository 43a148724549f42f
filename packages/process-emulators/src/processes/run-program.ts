import { Refusal } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from './process-environment.ts'
import { spawnChild } from './spawn-child.ts'

export interface RunOptions {
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: ProcessEnvironment
  readonly directory?: string
  readonly timeoutMilliseconds: number
  /** Of each of the two outputs; a program that says more is ended. @default 1 MiB */
  readonly outputBytes?: number
}

export interface RunResult {
  /** `undefined` where a signal ended it. */
  readonly exitCode: number | undefined
  readonly output: string
  readonly errorOutput: string
}

/**
 * Runs a program to its end, without a shell and without input. Rejects with a `failed` refusal when it can't be run,
 * takes too long or says too much; an exit code other than 0 is a result.
 */
export function runProgram(options: RunOptions): Promise<RunResult> {
  const { program, parameters, environment, directory, timeoutMilliseconds, outputBytes = 1024 * 1024 } = options
  return new Promise((resolve, reject) => {
    const child = spawnChild(program, parameters, {
      ...(directory === undefined ? {} : { cwd: directory }),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let refusal: Refusal | undefined
    const end = (reason: string) => {
      refusal ??= new Refusal('failed', `${program} ${reason}`)
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
      // A grandchild may hold the outputs open.
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
    const timer = setTimeout(
      () => end(`has timed out after ${timeoutMilliseconds / 1000} seconds`),
      timeoutMilliseconds,
    )
    const outputs: [Buffer[], Buffer[]] = [[], []]
    for (const [index, stream] of [child.stdout, child.stderr].entries()) {
      const chunks = outputs[index === 0 ? 0 : 1]
      let size = 0
      stream?.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > outputBytes) end('says too much')
        else chunks.push(chunk)
      })
      stream?.on('error', () => {})
    }
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(new Refusal('failed', `${program} could not be run: ${cause.message}`, { cause }))
    })
    child.once('close', (exitCode) => {
      clearTimeout(timer)
      if (refusal !== undefined) return reject(refusal)
      const [output, errorOutput] = outputs.map((chunks) => Buffer.concat(chunks).toString('utf8'))
      resolve({ exitCode: exitCode ?? undefined, output: output ?? '', errorOutput: errorOutput ?? '' })
    })
  })
}

import { spawn } from 'node:child_process'
import { pid } from 'node:process'
import { confinedCommand } from '../processes/confined-command.ts'
import { type ProcessEnvironment, SERVER_VARIABLE } from '../processes/process-environment.ts'

export interface WatchOptions {
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: ProcessEnvironment
  readonly sign: string
  readonly timeoutMs: number
  /** Ends the program early. */
  readonly signal: AbortSignal
}

/** Runs a program until it prints the sign, ends or takes too long, then kills it. @returns whether it printed the sign */
export function watchOutput(options: WatchOptions): Promise<boolean> {
  const { program, parameters } = confinedCommand(options.program, options.parameters)
  const { environment, sign, timeoutMs, signal } = options
  return new Promise((resolve) => {
    const env = { ...environment, [SERVER_VARIABLE]: `${pid}` }
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let tail = ''
    let seen = false
    const end = () => void child.kill('SIGKILL')
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    child.stdout.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString('latin1')).slice(-sign.length - chunk.length)
      seen ||= tail.includes(sign)
      if (seen) end()
    })
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(seen)
    }
    child.once('error', finish)
    child.once('close', finish)
  })
}

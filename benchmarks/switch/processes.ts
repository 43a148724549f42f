import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { hasProgram } from './programs.ts'

const pinned = (core: number, command: readonly string[]): readonly string[] =>
  hasProgram('taskset') ? ['taskset', '-c', String(core), ...command] : command

/** Starts a forwarder on the first core. Resolves when it prints a line, or after 300 ms. */
export async function startForwarder(
  command: readonly string[],
  ready: 'when it prints' | 'after a pause',
): Promise<ChildProcess> {
  const [program = '', ...options] = pinned(0, command)
  // The standard input stays open, because VDE's switch ends with it.
  const child = spawn(program, options, { stdio: ['pipe', 'pipe', ready === 'when it prints' ? 'inherit' : 'ignore'] })
  if (ready === 'when it prints') await once(child.stdout, 'data')
  else await new Promise((resolve) => setTimeout(resolve, 300))
  return child
}

export async function endForwarder(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** Returns the CPU time of all threads of the process in microseconds, as the kernel's scheduler counts it. */
export const cpuMicroseconds = ({ pid }: ChildProcess): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000)
    .reduce((sum, time) => sum + time, 0)

/** Returns the resident memory of the process. */
export const residentBytes = ({ pid }: ChildProcess): number =>
  1024 * Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

export interface Traffic {
  /** The ends between which the program `traffic` sends. */
  readonly ends: readonly [kind: string, from: string, to: string]
  readonly bytes: number
  readonly seconds: number
  /** The most frames in transit, or in one burst. */
  readonly window: number
  /** Frames a second; 0 for as many as the window allows. */
  readonly rate: number
}

export interface TrafficResult {
  readonly sent: number
  readonly received: number
  readonly seconds: number
  readonly p50Microseconds: number
  readonly p99Microseconds: number
}

/** Sends frames through the forwarder, from the second core. */
export async function runTraffic(
  command: readonly string[],
  { ends, bytes, seconds, window, rate }: Traffic,
): Promise<TrafficResult> {
  const numbers = [bytes, seconds, window, rate].map(String)
  const [program = '', ...options] = pinned(1, [...command, ...ends, ...numbers])
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`the traffic has failed: ${program} ${options.join(' ')}`)
  const [sent = 0, received = 0, measured = 1, p50Microseconds = 0, p99Microseconds = 0] = output
    .trim()
    .split(' ')
    .map(Number)
  return { sent, received, seconds: measured, p50Microseconds, p99Microseconds }
}

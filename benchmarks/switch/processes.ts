import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** The number of frames in transit, about that of a few applications with full windows. */
export const WINDOW = 512

export interface Traffic {
  /** The ends between which the program `traffic` sends. */
  readonly ends: readonly [kind: string, from: string, to: string]
  readonly bytes: number
  readonly seconds: number
  /** The most frames in transit, or in one burst. */
  readonly window: number
  /** Frames a second; 0 for as many as the window allows. */
  readonly rate: number
  /**
   * Sends every frame of the rate, however late, and counts its time from when it was due. Otherwise a frame that is very
   * late is left out. @default false
   */
  readonly open?: boolean
}

export interface TrafficResult {
  readonly sent: number
  readonly received: number
  readonly seconds: number
  readonly p50Microseconds: number
  readonly p99Microseconds: number
  readonly p999Microseconds: number
  /** Percentiles of the time from when a frame was due until it was sent. 0 where frames have no due time. */
  readonly latenessMicroseconds: readonly [p50: number, p99: number, p999: number]
}

/** Sends frames through the forwarder, from the second core. */
export async function runTraffic(
  command: readonly string[],
  { ends, bytes, seconds, window, rate, open = false }: Traffic,
): Promise<TrafficResult> {
  const numbers = [bytes, seconds, window, rate].map(String)
  const [program = '', ...options] = pinned(1, [...command, ...ends, ...numbers, ...(open ? ['open'] : [])])
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`the traffic has failed: ${program} ${options.join(' ')}`)
  const [sent = 0, received = 0, measured = 1, ...percentiles] = output.trim().split(' ').map(Number)
  const [p50Microseconds = 0, p99Microseconds = 0, p999Microseconds = 0, p50 = 0, p99 = 0, p999 = 0] = percentiles
  return {
    sent,
    received,
    seconds: measured,
    p50Microseconds,
    p99Microseconds,
    p999Microseconds,
    latenessMicroseconds: [p50, p99, p999],
  }
}

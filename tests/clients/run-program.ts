import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly directory: string
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export interface Ended {
  /** `null` where it was killed. */
  readonly code: number | null
  readonly stdout: string
  /** The standard output and error, at most the last 64 KiB. */
  readonly output: string
}

const KEPT_CHARACTERS = 65_536
const GRACE_MS = 1000

/** Runs a program without input. It is killed with all of its process group when its time has passed, and at its end. */
export async function runProgram({ command, args, directory, env, timeoutMs }: Program): Promise<Ended> {
  const child = spawn(command, args, { cwd: directory, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(-KEPT_CHARACTERS)
    output = (output + text).slice(-KEPT_CHARACTERS)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_CHARACTERS)
  })
  const timer = setTimeout(() => killGroup(child.pid), timeoutMs)
  // A process that left the group may keep the outputs open.
  const closed = once(child, 'close', { signal: AbortSignal.timeout(timeoutMs + GRACE_MS) }).catch(() => undefined)
  try {
    await once(child, 'exit')
    killGroup(child.pid)
    await closed
    return { code: child.exitCode, stdout, output }
  } finally {
    clearTimeout(timer)
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessRecord } from '@trivium/emulation-core/ports'
import { isAlive } from './process-identity.ts'

const POLL_MS = 20
const KILL_MS = 2000

export interface EndOptions {
  /** Milliseconds that a process has to end by itself before it is killed. */
  readonly graceMs: number
}

/**
 * Ends these processes: SIGTERM, the grace, SIGKILL. Never signals another process that has the number of one by now.
 * Resolves when all have ended, or 2 seconds after SIGKILL.
 */
export async function endProcesses(processes: readonly ProcessRecord[], { graceMs }: EndOptions): Promise<void> {
  let left = await alive(processes)
  for (const process of left) {
    signal(process, 'SIGTERM')
    // A paused process would not receive SIGTERM.
    signal(process, 'SIGCONT')
  }
  left = await waitFor(left, graceMs)
  for (const process of left) signal(process, 'SIGKILL')
  await waitFor(left, KILL_MS)
}

async function waitFor(processes: readonly ProcessRecord[], milliseconds: number): Promise<readonly ProcessRecord[]> {
  let left = processes
  for (let waited = 0; ; waited += POLL_MS) {
    left = await alive(left)
    if (left.length === 0 || waited >= milliseconds) return left
    await wait(POLL_MS)
  }
}

async function alive(processes: readonly ProcessRecord[]): Promise<readonly ProcessRecord[]> {
  const checked = await Promise.all(processes.map(async (process) => ((await isAlive(process)) ? process : undefined)))
  return checked.filter((process) => process !== undefined)
}

function signal({ pid }: ProcessRecord, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}

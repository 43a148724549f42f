import { readdir, readFile } from 'node:fs/promises'
import type { ProcessRecord } from '@trivium/emulation-core/ports'

/** In /proc's order of things state is the third field, the parent the fourth, the start the 22nd; the second may hold spaces. */
const STATE = 0
const PARENT = 1
const START = 19

interface ProcessStatus {
  readonly state: string
  readonly parent: string
  /** Clock ticks since the machine started. */
  readonly ticks: string
}

async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [state, parent, ticks] = [fields[STATE], fields[PARENT], fields[START]]
    return state === undefined || parent === undefined || ticks === undefined ? undefined : { state, parent, ticks }
  } catch {
    return undefined
  }
}

let bootId: Promise<string> | undefined

function currentBoot() {
  bootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then((text) => text.trim())
  return bootId
}

const startOf = async ({ ticks }: ProcessStatus): Promise<string> => `${await currentBoot()}/${ticks}`

/**
 * What tells the process from any later one of the same number: the machine's boot and its start since then.
 * `undefined` when no such process lives (one that has ended and waits for its parent does not).
 */
export async function identify(pid: number, program: string): Promise<ProcessRecord | undefined> {
  const status = await statusOf(pid)
  if (status === undefined || status.state === 'Z' || status.state === 'X') return undefined
  return { pid, startedAt: await startOf(status), program }
}

/** The number of the process that it belongs to; `undefined` when no such process lives. */
export const parentOf = async ({ pid }: ProcessRecord): Promise<string | undefined> => (await statusOf(pid))?.parent

/** Whether exactly this process still lives. */
export async function isAlive(process: ProcessRecord): Promise<boolean> {
  const found = await identify(process.pid, process.program)
  return found !== undefined && found.startedAt === process.startedAt
}

/** The direct children that live right now. */
export async function childrenOf({ pid, program }: ProcessRecord): Promise<readonly ProcessRecord[]> {
  try {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const pids = text.split(' ').filter(Boolean).map(Number)
    return (await Promise.all(pids.map((child) => identify(child, program)))).filter((child) => child !== undefined)
  } catch {
    return []
  }
}

export interface MarkedProcess {
  readonly value: string
  readonly process: ProcessRecord
}

/** Every process of this user whose environment has the variable, with its value. None where there is no list of processes. */
export async function findByEnvironment(variable: string): Promise<readonly MarkedProcess[]> {
  const prefix = `${variable}=`
  const found: MarkedProcess[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    try {
      const environment = await readFile(`/proc/${name}/environ`, 'latin1')
      const entry = environment.split('\0').find((line) => line.startsWith(prefix))
      if (entry === undefined) continue
      const program = (await readFile(`/proc/${name}/cmdline`, 'utf8')).split('\0')[0] ?? ''
      const process = await identify(Number(name), program)
      if (process !== undefined) found.push({ value: entry.slice(prefix.length), process })
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
  return found
}

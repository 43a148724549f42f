import { readdir, readFile, readlink } from 'node:fs/promises'
import type { ProcessRecord } from '@trivium/emulation-core/ports'

/** Positions after the second field of `/proc/<pid>/stat`, which can contain spaces: fields 3, 4, 14, 15 and 22. */
const STATE = 0
const PARENT = 1
const USER_TIME = 11
const SYSTEM_TIME = 12
const START = 19

interface ProcessStatus {
  readonly state: string
  readonly parent: string
  /** CPU time of all its threads in clock ticks, without that of its children. */
  readonly cpuTicks: number
  /** Start of the process in clock ticks since the machine started. */
  readonly ticks: string
}

async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [state, parent, ticks] = [fields[STATE], fields[PARENT], fields[START]]
    if (state === undefined || parent === undefined || ticks === undefined) return undefined
    return { state, parent, cpuTicks: Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]), ticks }
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
 * Identifies a process by its number, the boot of the machine and its start, so that a later process with the same
 * number is distinguished. `undefined` for a process that does not exist or has ended, also as a zombie.
 */
export async function identify(pid: number, program: string): Promise<ProcessRecord | undefined> {
  const status = await statusOf(pid)
  if (status === undefined || hasEnded(status)) return undefined
  return { pid, startedAt: await startOf(status), program }
}

const hasEnded = ({ state }: ProcessStatus): boolean => state === 'Z' || state === 'X'

/** The number of its parent. `undefined` when the process does not exist. */
export const parentOf = async ({ pid }: ProcessRecord): Promise<string | undefined> => (await statusOf(pid))?.parent

/** Whether the numbers in its environment mean the processes of this system, and not those of a container. */
export async function sharesNumbers({ pid }: ProcessRecord): Promise<boolean> {
  const namespaceOf = (name: number | 'self') => readlink(`/proc/${name}/ns/pid`).catch(() => undefined)
  const [own, other] = [await namespaceOf('self'), await namespaceOf(pid)]
  return own !== undefined && own === other
}

/** Whether this process still runs. */
export const isAlive = async (process: ProcessRecord): Promise<boolean> => (await runningStatus(process)) !== undefined

/** The CPU time of this process in clock ticks. `undefined` when it has ended. */
export const cpuTicksOf = async (process: ProcessRecord): Promise<number | undefined> =>
  (await runningStatus(process))?.cpuTicks

/** `undefined` also where another process has the number by now. */
async function runningStatus({ pid, startedAt }: ProcessRecord): Promise<ProcessStatus | undefined> {
  const status = await statusOf(pid)
  if (status === undefined || hasEnded(status)) return undefined
  return (await startOf(status)) === startedAt ? status : undefined
}

/** The direct children that run now. */
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

/** Every process of this user whose environment has the variable, with its value. Empty without `/proc`. */
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
      // The process has ended, or belongs to another user.
    }
  }
  return found
}

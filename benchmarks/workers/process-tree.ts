import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What the kernel counts of a process and its children. */
export interface TreeUsage {
  /** User and system time of the processes that run. */
  readonly cpuMicroseconds: number
  readonly residentBytes: number
  readonly processes: number
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const PAGE_BYTES = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))

/** Reads what Linux counts of a process and its children, to a hundredth of a second. */
export function treeUsage(pid: number): TreeUsage {
  const pids = [pid, ...childrenOf(pid)]
  // After the name, which may contain spaces, is the third field of the line.
  const stats = pids.map((one) => readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [])
  const sum = (...fields: readonly number[]) =>
    stats.reduce((total, stat) => total + fields.reduce((part, field) => part + Number(stat[field - 3]), 0), 0)
  return {
    cpuMicroseconds: (sum(UTIME, STIME) / TICKS_PER_SECOND) * 1_000_000,
    residentBytes: sum(RSS) * PAGE_BYTES,
    processes: pids.length,
  }
}

const [UTIME, STIME, RSS] = [14, 15, 24]

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((id) => id !== '')
    .map(Number)

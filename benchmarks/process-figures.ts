import { readdirSync, readFileSync } from 'node:fs'

/** Returns the CPU time of all running threads of the process in microseconds, as Linux's scheduler counts it. */
export const cpuMicrosecondsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000)
    .reduce((sum, time) => sum + time, 0)

/** Returns the resident memory of the process, on Linux. */
export const residentBytesOf = (pid: number): number =>
  1024 * Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from '../server-process.ts'

/** What the kernel says of a server's process. */
export interface ProcessGauges {
  readonly residentMegabytes: () => number
  readonly openDescriptors: () => number
}

export const gaugesOf = ({ process: { pid } }: ServerProcess): ProcessGauges => ({
  residentMegabytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  openDescriptors: () => readdirSync(`/proc/${pid}/fd`).length,
})

/** Looks again and again until it holds; the test's own limit ends what never does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

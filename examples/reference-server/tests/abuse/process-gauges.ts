import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from '../server-process.ts'

/** Measures of the kernel for a server's process. */
export interface ProcessGauges {
  readonly residentMegabytes: () => number
  readonly openDescriptors: () => number
}

export const gaugesOf = ({ process: { pid } }: ServerProcess): ProcessGauges => ({
  residentMegabytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  openDescriptors: () => readdirSync(`/proc/${pid}/fd`).length,
})

/** Resolves once the condition holds, checked every 20 ms. The time limit of the test applies. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

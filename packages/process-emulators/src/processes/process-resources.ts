import { readFile } from 'node:fs/promises'
import type { InstanceResources, ProcessRecord } from '@trivium/emulation-core/ports'
import { cpuTicksOf } from './process-identity.ts'

/** Linux reports times to programs in this unit, regardless of the clock of its kernel. */
const TICKS_PER_SECOND = 100

/** Sums what these processes use. `undefined` when all have ended, and without `/proc`. */
export async function resourcesOf(processes: readonly ProcessRecord[]): Promise<InstanceResources | undefined> {
  const used = (await Promise.all(processes.map(usageOf))).filter((one) => one !== undefined)
  if (used.length === 0) return undefined
  return {
    cpuSeconds: used.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) / TICKS_PER_SECOND,
    memoryBytes: used.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  }
}

async function usageOf(process: ProcessRecord) {
  const memoryBytes = await residentBytes(process.pid)
  // Read second: a process that still runs had its number before, too.
  const cpuTicks = await cpuTicksOf(process)
  return memoryBytes === undefined || cpuTicks === undefined ? undefined : { memoryBytes, cpuTicks }
}

/** From `status` rather than `statm`, which counts in pages of a size that only the system knows. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

import { availableParallelism, freemem, totalmem } from 'node:os'
import type { HostUsage } from '@trivium/emulation-core'

/** Measures the CPU time of this process since the previous call, in percent of all cores, and the used memory of the machine. */
export function hostUsage(): () => Promise<HostUsage> {
  let before = { cpu: process.cpuUsage(), at: performance.now() }
  return async () => {
    const spent = process.cpuUsage(before.cpu)
    const elapsed = Math.max(performance.now() - before.at, 1)
    before = { cpu: process.cpuUsage(), at: performance.now() }
    return {
      cpuPercent: (100 * (spent.user + spent.system)) / 1000 / elapsed / availableParallelism(),
      memoryPercent: 100 * (1 - freemem() / totalmem()),
    }
  }
}

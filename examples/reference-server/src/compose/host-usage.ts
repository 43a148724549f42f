import { availableParallelism, freemem, totalmem } from 'node:os'
import type { HostUsage } from '@trivium/emulation-core'

/** How busy this process keeps the machine since it was asked before, and how much of the memory is in use. */
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

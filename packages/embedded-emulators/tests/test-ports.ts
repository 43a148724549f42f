import { createPortAllocator } from '@trivium/emulation-core'
import type { PortAllocator, PortUse } from '@trivium/emulation-core/ports'
import { portProbe } from '../src/ports/port-probe.ts'

/** Above the ports of outgoing connections. */
const lowest = 61_000
const workers = 8
const rangesPerWorker = 9
const rangeLength = 60

let next = 0

/** Allocates free ports, in ranges that no other test file uses at the same time. */
export const testPorts = (): PortAllocator => {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0)
  next = (next + 1) % rangesPerWorker
  const first = lowest + ((worker % workers) * rangesPerWorker + next) * rangeLength
  return createPortAllocator({
    isFree: portProbe(),
    consolePorts: { first, last: first + 19 },
    udpPorts: { first: first + 20, last: first + rangeLength - 1 },
  })
}

export const takePort = async (ports: PortAllocator, use: PortUse): Promise<number> => {
  const port = await ports.allocate(use)
  if (port === undefined) throw new Error('no port is free')
  return port
}

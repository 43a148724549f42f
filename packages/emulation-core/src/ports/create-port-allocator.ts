import { portBounds } from '../bounds.ts'
import { checkRange } from '../check-range.ts'
import { createNumberPool } from './number-pool.ts'
import type { PortAllocator, PortRange, PortUse } from './port-allocator.ts'

/** The ranges of an allocator, and a check for free ports. */
export interface PortAllocatorOptions {
  /**
   * Checks that no other program uses the port, by binding it for a short time. A console port is free where it is free
   * on every address on which consoles listen; a UDP port where it is free on 127.0.0.1 and on all addresses. Where it
   * rejects, the call rejects and no port stays taken. `portProbe` of `@trivium/embedded-emulators` creates one.
   */
  readonly isFree: (use: PortUse, port: number) => Promise<boolean>
  /** TCP ports of consoles, both ends included. @default 2000 to 5000 */
  readonly consolePorts?: PortRange
  /** UDP ports of NIOs, both ends included. @default 10000 to 20000 */
  readonly udpPorts?: PortRange
}

/** Lower ports can only be taken where the range has them. */
const FIRST_UNPRIVILEGED_PORT = 1024

/**
 * Creates a port allocator. It keeps the taken ports in memory, and so serves one process. It allocates the lowest free
 * port, and skips those that other programs use.
 *
 * @throws RangeError for a range that is empty or not within 1 to 65,535
 *
 * @example
 * ```ts
 * import { createPortAllocator } from '@trivium/emulation-core'
 * import { portProbe } from '@trivium/embedded-emulators'
 *
 * const ports = createPortAllocator({ isFree: portProbe(), consolePorts: { first: 5000, last: 5999 } })
 * const port = await ports.allocate('console') // 5000, if no other program uses it
 * ```
 */
export function createPortAllocator({
  isFree,
  consolePorts = { first: 2000, last: 5000 },
  udpPorts = { first: 10_000, last: 20_000 },
}: PortAllocatorOptions): PortAllocator {
  for (const { first, last } of [consolePorts, udpPorts]) {
    checkRange({ first }, ...portBounds)
    checkRange({ last }, first, portBounds[1])
  }
  const uses = {
    console: { range: consolePorts, pool: createNumberPool() },
    udp: { range: udpPorts, pool: createNumberPool() },
  }
  return {
    allocate: async (use) => {
      const { range, pool } = uses[use]
      const busy: number[] = []
      try {
        while (true) {
          const port = pool.takeLowest(range.first, range.last)
          if (port === undefined) return undefined
          busy.push(port)
          if (!(await isFree(use, port))) continue
          busy.pop()
          return port
        }
      } finally {
        for (const port of busy) pool.release(port)
      }
    },
    claim: async (use, port) => {
      const { range, pool } = uses[use]
      if (port < FIRST_UNPRIVILEGED_PORT && (port < range.first || port > range.last)) return 'privileged'
      if (!pool.take(port)) return 'taken'
      let isClaimed = false
      try {
        isClaimed = await isFree(use, port)
      } finally {
        if (!isClaimed) pool.release(port)
      }
      return isClaimed ? 'claimed' : 'in-use'
    },
    restore: (use, port) => {
      uses[use].pool.take(port)
    },
    release: (use, port) => uses[use].pool.release(port),
    range: (use) => uses[use].range,
  }
}

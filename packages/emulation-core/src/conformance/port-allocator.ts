import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PortAllocator, PortUse } from '../ports.ts'

/**
 * Registers vitest cases for a `PortAllocator`.
 *
 * @param open returns an allocator without taken ports, whose ranges have at least three free ports each, for each test
 */
export function portAllocatorConformance(open: () => Promisable<PortAllocator>): void {
  describe.each(['console', 'udp'] satisfies PortUse[])('PortAllocator: %s', (use) => {
    let ports: PortAllocator
    let first: number
    beforeEach(async () => {
      ports = await open()
      first = (await ports.allocate(use)) ?? 0
    })

    it('allocates ascending ports of the range', async () => {
      const { first: start, last } = ports.range(use)
      expect(first).toBeGreaterThanOrEqual(start)
      expect(first).toBeLessThanOrEqual(last)
      expect(await ports.allocate(use)).toBeGreaterThan(first)
    })

    it('allocates the lowest port again after its release', async () => {
      await ports.allocate(use)
      ports.release(use, first)
      expect(await ports.allocate(use)).toBe(first)
    })

    it('refuses a port that is taken', async () => {
      expect(await ports.claim(use, first)).toBe('taken')
      ports.release(use, first)
      expect(await ports.claim(use, first)).toBe('claimed')
      expect(await ports.claim(use, first)).toBe('taken')
    })

    it('never allocates a restored port', async () => {
      ports.release(use, first)
      ports.restore(use, first)
      expect(await ports.allocate(use)).not.toBe(first)
      expect(await ports.claim(use, first)).toBe('taken')
    })

    it('allocates different ports to concurrent callers', async () => {
      const [one, other] = await Promise.all([ports.allocate(use), ports.allocate(use)])
      expect(one).toBeDefined()
      expect(one).not.toBe(other)
    })

    it('refuses a privileged port outside the range', async () => {
      expect(await ports.claim(use, 22)).toBe('privileged')
    })
  })
}

import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PortAllocator, PortUse } from '../ports.ts'

/**
 * Registers vitest cases for a `PortAllocator` that has given out nothing yet.
 *
 * @param open gives an allocator whose ranges have at least three free ports each
 */
export function portAllocatorConformance(open: () => Promisable<PortAllocator>): void {
  describe.each(['console', 'udp'] satisfies PortUse[])('PortAllocator: %s', (use) => {
    let ports: PortAllocator
    let first: number
    beforeEach(async () => {
      ports = await open()
      first = (await ports.allocate(use)) ?? 0
    })

    it('stays in the range and goes up', async () => {
      const { first: start, last } = ports.range(use)
      expect(first).toBeGreaterThanOrEqual(start)
      expect(first).toBeLessThanOrEqual(last)
      expect(await ports.allocate(use)).toBeGreaterThan(first)
    })

    it('gives the lowest again once it is released', async () => {
      await ports.allocate(use)
      ports.release(use, first)
      expect(await ports.allocate(use)).toBe(first)
    })

    it('refuses a number that is taken', async () => {
      expect(await ports.claim(use, first)).toBe('taken')
      ports.release(use, first)
      expect(await ports.claim(use, first)).toBe('claimed')
      expect(await ports.claim(use, first)).toBe('taken')
    })

    it('does not give out what was restored', async () => {
      ports.release(use, first)
      ports.restore(use, first)
      expect(await ports.allocate(use)).not.toBe(first)
      expect(await ports.claim(use, first)).toBe('taken')
    })

    it('gives racing callers different ports', async () => {
      const [one, other] = await Promise.all([ports.allocate(use), ports.allocate(use)])
      expect(one).toBeDefined()
      expect(one).not.toBe(other)
    })

    it('keeps privileged ports to the operator', async () => {
      expect(await ports.claim(use, 22)).toBe('privileged')
    })
  })
}

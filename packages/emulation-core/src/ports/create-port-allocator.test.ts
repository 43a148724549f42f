import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPortAllocator } from './create-port-allocator.ts'

const allocator = (busy: ReadonlySet<number> = new Set(), consolePorts = { first: 2000, last: 2040 }) =>
  createPortAllocator({ consolePorts, isFree: async (_use, port) => !busy.has(port) })

describe('createPortAllocator', () => {
  it('allocates ascending ports from the first', async () => {
    const ports = allocator()
    expect([await ports.allocate('console'), await ports.allocate('console')]).toEqual([2000, 2001])
  })

  it('allocates console and UDP ports independently', async () => {
    const ports = allocator()
    expect(await ports.allocate('console')).toBe(2000)
    expect(await ports.allocate('udp')).toBe(10_000)
    expect(await ports.claim('udp', 2000)).toBe('claimed')
  })

  it('allocates different ports to two concurrent callers', async () => {
    const ports = allocator(new Set([2000]))
    expect(new Set(await Promise.all([ports.allocate('console'), ports.allocate('console')]))).toEqual(
      new Set([2001, 2002]),
    )
  })

  it('allocates the last port of the range', async () => {
    const ports = allocator(new Set(), { first: 2000, last: 2002 })
    expect([await ports.allocate('console'), await ports.allocate('console')]).toEqual([2000, 2001])
    expect(await ports.allocate('console')).toBe(2002)
    expect(await ports.allocate('console')).toBeUndefined()
  })

  it('claims a port outside the range, or returns the reason', async () => {
    const ports = allocator(new Set([9001]))
    expect(await ports.claim('console', 9000)).toBe('claimed')
    expect(await ports.claim('console', 9000)).toBe('taken')
    expect(await ports.claim('console', 9001)).toBe('in-use')
    expect(await ports.claim('console', 22)).toBe('privileged')
  })

  it('keeps no port taken where the check of a port rejects', async () => {
    let fails = true
    const isFree = async () => {
      if (fails) throw new Error('no more sockets')
      return true
    }
    const ports = createPortAllocator({ isFree, consolePorts: { first: 2000, last: 2040 } })
    await expect(ports.allocate('console')).rejects.toThrow('no more sockets')
    await expect(ports.claim('console', 2000)).rejects.toThrow('no more sockets')
    fails = false
    expect(await ports.claim('console', 2001)).toBe('claimed')
    expect(await ports.allocate('console')).toBe(2000)
  })

  it('allocates a port again that another program has freed', async () => {
    const busy = new Set([2000])
    const ports = allocator(busy)
    expect(await ports.allocate('console')).toBe(2001)
    busy.clear()
    expect(await ports.allocate('console')).toBe(2000)
  })

  it('always allocates the lowest port that is neither taken nor in use', async () => {
    const step = fc.oneof(
      fc.record({ verb: fc.constant('allocate' as const) }),
      fc.record({
        verb: fc.constantFrom('claim' as const, 'release' as const),
        port: fc.integer({ min: 1990, max: 2090 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 120 }),
        fc.uniqueArray(fc.integer({ min: 2000, max: 2080 })),
        async (steps, foreign) => {
          const busy = new Set(foreign)
          const range = { first: 2000, last: 2080 }
          const ports = allocator(busy, range)
          const taken = new Set<number>()
          for (const action of steps) {
            if (action.verb === 'release') {
              ports.release('console', action.port)
              taken.delete(action.port)
            } else if (action.verb === 'claim') {
              const expected = taken.has(action.port) ? 'taken' : busy.has(action.port) ? 'in-use' : 'claimed'
              expect(await ports.claim('console', action.port)).toBe(expected)
              if (expected === 'claimed') taken.add(action.port)
            } else {
              let expected: number | undefined = range.first
              while (expected <= range.last && (taken.has(expected) || busy.has(expected))) expected += 1
              if (expected > range.last) expected = undefined
              expect(await ports.allocate('console')).toBe(expected)
              if (expected !== undefined) taken.add(expected)
            }
          }
        },
      ),
    )
  })
})

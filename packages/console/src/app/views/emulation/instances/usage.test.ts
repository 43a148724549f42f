import { describe, expect, it } from 'vitest'
import { usageAfter } from './usage.ts'

const first = usageAfter(undefined, { atMs: 5000, cpuSeconds: 2, memoryBytes: 100 })

describe('usageAfter', () => {
  it('has no share of the CPU at the first reading', () => {
    expect(first).toEqual({ atMs: 5000, cpuSeconds: 2, memoryBytes: 100, cpuPercent: undefined })
  })

  it('returns the share of one core since the reading before, above 100 % for several cores', () => {
    const second = usageAfter(first, { atMs: 8000, cpuSeconds: 2.36, memoryBytes: 200 })
    expect(second).toMatchObject({ memoryBytes: 200, cpuPercent: expect.closeTo(12) })
    const third = usageAfter(second, { atMs: 10_000, cpuSeconds: 5.36, memoryBytes: 200 })
    expect(third.cpuPercent).toBeCloseTo(150)
  })

  it('keeps its share and waits when two readings are too close to be compared', () => {
    const second = usageAfter(first, { atMs: 8000, cpuSeconds: 2.36, memoryBytes: 200 })
    const close = usageAfter(second, { atMs: 8010, cpuSeconds: 2.37, memoryBytes: 300 })
    expect(close).toEqual({ ...second, memoryBytes: 300 })
    expect(usageAfter(close, { atMs: 11_000, cpuSeconds: 2.66, memoryBytes: 300 }).cpuPercent).toBeCloseTo(10)
  })

  it('keeps its share when the CPU time decreases, and continues from there', () => {
    const second = usageAfter(first, { atMs: 8000, cpuSeconds: 2.36, memoryBytes: 200 })
    const less = usageAfter(second, { atMs: 11_000, cpuSeconds: 1, memoryBytes: 200 })
    expect(less.cpuPercent).toBe(second.cpuPercent)
    expect(usageAfter(less, { atMs: 14_000, cpuSeconds: 1.6, memoryBytes: 200 }).cpuPercent).toBeCloseTo(20)
  })
})

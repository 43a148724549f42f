import { describe, expect, it } from 'vitest'
import { constantRate } from '../../benchmarks/load/schedule.ts'

describe('a constant rate', () => {
  it('has as many requests as its rate and time contain', () => {
    expect(constantRate(250, 4).count).toBe(1000)
    expect(constantRate(0.1, 1).count).toBe(1)
  })

  it('makes requests due at even distances from the first', () => {
    const { dueMs } = constantRate(400, 1)
    expect([0, 1, 2, 399].map(dueMs)).toEqual([0, 2.5, 5, 997.5])
  })

  it.each([
    [-1, 0],
    [0, 1],
    [2.4, 1],
    [2.5, 2],
    [60_000, 400],
  ])('has after %f ms %d requests that are due', (elapsed, due) => {
    expect(constantRate(400, 1).dueBy(elapsed)).toBe(due)
  })

  it('refuses a rate or a time that is not more than 0', () => {
    expect(() => constantRate(0, 1)).toThrow(RangeError)
    expect(() => constantRate(Number.NaN, 1)).toThrow(RangeError)
    expect(() => constantRate(1, -1)).toThrow(RangeError)
  })
})

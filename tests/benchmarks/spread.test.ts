import { describe, expect, it } from 'vitest'
import { percentile, ratioOf, spreadOf } from '../../benchmarks/spread.ts'

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

describe('percentile', () => {
  it.each([
    [0, 1],
    [0.5, 51],
    [0.99, 100],
    [1, 100],
  ])('returns for the share %f of the values 1 to 100 the value %d', (share, value) => {
    expect(percentile(hundred, share)).toBe(value)
  })

  it('returns NaN without values', () => {
    expect(percentile([], 0.5)).toBeNaN()
  })
})

it('returns the median, the least and the most of the rounds', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 })
})

it('compares each round with the same round of the other', () => {
  expect(ratioOf([2, 9, 4], [1, 3, 1])).toEqual({ median: 3, least: 2, most: 4 })
})

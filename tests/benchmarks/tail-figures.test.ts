import { describe, expect, it } from 'vitest'
import { addedOf, generatorFiguresOf, pausesOf, quantilesOf, type Turn } from '../../benchmarks/tails/figures.ts'

const turn = (p50: number, p99: number, p999: number): Turn => ({
  latency: { p50, p99, p999 },
  lateness: { p50: p50 / 10, p99: p99 / 10, p999: p999 / 10 },
  waitedPercent: p50,
  corePercent: 20,
})

describe('the figures of tails', () => {
  it('contain the percentiles of all times', () => {
    const times = Array.from({ length: 1000 }, (_, index) => index + 1)
    expect(quantilesOf(times)).toEqual({ p50: 501, p99: 991, p999: 1000 })
  })

  it('add to the floor of the same round', () => {
    const { p50, p99 } = addedOf([turn(3, 10, 20), turn(4, 30, 40)], [turn(1, 2, 3), turn(1, 25, 30)])
    expect(p50).toEqual({ median: 3, least: 2, most: 3 })
    expect(p99).toEqual({ median: 8, least: 5, most: 8 })
  })

  it('contain the medians of the generator', () => {
    expect(generatorFiguresOf([turn(1, 10, 100), turn(2, 20, 200), turn(9, 90, 900)])).toEqual({
      lateness: { p50: 0.2, p99: 2, p999: 20 },
      waitedPercent: 2,
      corePercent: 20,
    })
  })

  it('contain no lateness where all requests waited', () => {
    expect(generatorFiguresOf([{ ...turn(1, 2, 3), lateness: undefined }]).lateness).toBeUndefined()
  })

  it('sum up the pauses of all turns, and keep the longest', () => {
    const pauses = [
      { count: 2, totalMs: 3, longestMs: 2 },
      { count: 1, totalMs: 5, longestMs: 5 },
    ]
    expect(pausesOf(pauses)).toEqual({ count: 3, totalMs: 8, longestMs: 5 })
    expect(pausesOf([...pauses, undefined])).toBeUndefined()
  })
})

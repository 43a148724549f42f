import { expect, it } from 'vitest'
import { type Gauge, type Gauges, gaugeNames, type Sample } from './gauges.ts'
import { growthOf, maxGrowth } from './growth.ts'

const level: Gauges = {
  residentMegabytes: 100,
  heapMegabytes: 100,
  descriptors: 100,
  handles: 100,
  timers: 100,
  listeners: 100,
}

const samplesOf = (gauge: Gauge, values: readonly number[]): readonly Sample[] =>
  values.map((value, minutes) => ({ ...level, minutes, [gauge]: value }))

const leaksOf = (samples: readonly Sample[]) =>
  growthOf(samples).flatMap(({ gauge, isLeak }) => (isLeak ? [gauge] : []))

it.each(gaugeNames)('reports a leak for steady growth of %s', (gauge) => {
  const step = maxGrowth[gauge] * 1.5
  expect(
    leaksOf(
      samplesOf(
        gauge,
        Array.from({ length: 10 }, (_, minute) => 100 + minute * step),
      ),
    ),
  ).toEqual([gauge])
})

it.each(gaugeNames)('reports no leak for single outliers of %s', (gauge) => {
  const step = maxGrowth[gauge] * 20
  expect(leaksOf(samplesOf(gauge, [100, 100, 100 + step, 100, 100, 100, 100 - step, 100, 100, 100]))).toEqual([])
})

it('returns the growth per minute and its limit', () => {
  const growth = growthOf(samplesOf('timers', [1, 3, 5, 7]))
  expect(growth.find(({ gauge }) => gauge === 'timers')).toMatchObject({
    perMinute: 2,
    maxPerMinute: 0.5,
    isLeak: true,
  })
})

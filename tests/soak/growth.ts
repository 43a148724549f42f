import { type Gauge, gaugeNames, type Sample } from './gauges.ts'

/** The most growth in a minute that counts as noise. The memory of an idle server varies, its counts hardly do. */
export const maxGrowth: Readonly<Record<Gauge, number>> = {
  residentMegabytes: 3,
  heapMegabytes: 0.5,
  descriptors: 0.5,
  handles: 0.5,
  timers: 0.5,
  listeners: 2,
}

export interface Growth {
  readonly gauge: Gauge
  readonly perMinute: number
  readonly maxPerMinute: number
  readonly isLeak: boolean
}

/** Returns the growth of each gauge in a minute: the median of the slopes between all pairs of samples, which outliers hardly change. */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  return gaugeNames.map((gauge) => {
    const slopes = samples.flatMap((early, index) =>
      samples.slice(index + 1).map((late) => (late[gauge] - early[gauge]) / (late.minutes - early.minutes)),
    )
    const perMinute = median(slopes)
    return { gauge, perMinute, maxPerMinute: maxGrowth[gauge], isLeak: perMinute > maxGrowth[gauge] }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = low] = sorted.length % 2 === 0 ? sorted.slice(middle - 1, middle + 1) : [sorted[middle] ?? 0]
  return (low + high) / 2
}

import type { UsageHistoryRepository } from '../usage-history/usage-history-repository.ts'
import { addSample, intervalsOf, type UsagePoint, type UsageResolution } from '../usage-history/usage-point.ts'
import type { VolumeId } from '../volumes/volume.ts'

/** The points of one target by the start of their intervals, in the order of insertion. */
interface HeldTarget {
  latest: number
  readonly points: Readonly<Record<UsageResolution, Map<number, UsagePoint>>>
}

/** Stores the history of usage in memory until the process ends. Returns copies. */
export function memoryUsageHistory(): UsageHistoryRepository {
  const claims = new Map<VolumeId, number>()
  const volumes = new Map<VolumeId, Map<number | undefined, HeldTarget>>()
  const all = () => [...volumes.values()].flatMap((targets) => [...targets.values()])

  return {
    async claim(volume, at, seconds) {
      const previous = claims.get(volume)
      const time = at.getTime()
      if (previous !== undefined && previous >= time && previous <= time + seconds * 1000) return 'taken'
      claims.set(volume, time)
      return previous === undefined ? {} : { previous: new Date(previous) }
    },
    async record(volume, at, seconds, samples) {
      const targets = volumes.get(volume) ?? new Map<number | undefined, HeldTarget>()
      volumes.set(volume, targets)
      const intervals = intervalsOf(at, seconds)
      for (const sample of samples) {
        const held = targets.get(sample.target) ?? noPoints()
        held.latest = at.getTime()
        targets.set(sample.target, held)
        for (const { resolution, ...interval } of intervals) {
          const points = held.points[resolution]
          const key = interval.at.getTime()
          points.set(key, { ...interval, ...addSample(points.get(key), sample) })
        }
      }
    },
    async list({ volume, target, resolution, from, to }) {
      const points = volumes.get(volume)?.get(target)?.points[resolution].values() ?? []
      const found = [...points].filter(({ at }) => at >= from && at <= to)
      return structuredClone(found.sort((left, right) => left.at.getTime() - right.at.getTime()))
    },
    async has(volume, target) {
      return volumes.get(volume)?.has(target) ?? false
    },
    async removeOldest(resolution, before) {
      const held = all().map(({ points }) => points[resolution])
      let oldest = before.getTime()
      for (const points of held) for (const time of points.keys()) oldest = Math.min(oldest, time)
      if (oldest >= before.getTime()) return false
      for (const points of held) points.delete(oldest)
      return true
    },
    async removeTargets(before) {
      for (const targets of volumes.values()) {
        for (const [target, { latest }] of targets) if (latest < before.getTime()) targets.delete(target)
      }
      return false
    },
  }
}

const noPoints = (): HeldTarget => ({
  latest: 0,
  points: { sample: new Map(), 'half-hour': new Map(), 'two-hours': new Map(), day: new Map() },
})

import type { VolumeId } from '../volumes/volume.ts'
import type { UsagePoint, UsageResolution, UsageSample } from './usage-point.ts'

/** Stores the usage of volumes and of their quota targets over time, as samples and as roll-ups of them. */
export interface UsageHistoryRepository {
  /**
   * Claims the sample of a volume for an interval, atomically: of several processes one gets it. An earlier claim of a
   * later time counts only up to one interval ahead, so that a clock that was corrected does not end the history.
   *
   * @param at the start of the interval
   * @returns `taken` where another claim has the interval
   */
  claim(volume: VolumeId, at: Date, seconds: number): Promise<UsageClaim | 'taken'>
  /**
   * Adds samples of one volume, and brings their roll-ups up to date. Steps of at most 1,024 targets are atomic each.
   * A repetition changes nothing.
   *
   * @param seconds the length of the interval of a sample, from 60 to 1,800
   */
  record(volume: VolumeId, at: Date, seconds: number, samples: readonly UsageSample[]): Promise<void>
  /** Returns the points of a target whose intervals start in a range, in the order of time. */
  list(request: UsageRequest): Promise<readonly UsagePoint[]>
  /** Whether anything is stored of a target. */
  has(volume: VolumeId, target: number): Promise<boolean>
  /**
   * Removes the oldest interval of a resolution that starts before a time, of all volumes. Bounded: callers repeat it.
   *
   * @returns whether there was one
   */
  removeOldest(resolution: UsageResolution, before: Date): Promise<boolean>
  /**
   * Removes the names of up to 1,000 targets that have no sample since a time.
   *
   * @returns whether there may be more
   */
  removeTargets(before: Date): Promise<boolean>
}

/** A claim that was given. */
export interface UsageClaim {
  /** The start of the interval that was claimed before. Absent for the first one of a volume. */
  readonly previous?: Date
}

/** The points of one target in a range of time. */
export interface UsageRequest {
  readonly volume: VolumeId
  /** The index of the target's report. @default the volume itself */
  readonly target?: number
  readonly resolution: UsageResolution
  /** The first start of an interval, inclusive. */
  readonly from: Date
  /** The last start of an interval, inclusive. */
  readonly to: Date
}

import type { ClockTrust } from '../clock-watch.ts'
import type { Emit } from '../events/create-events.ts'
import type { QuotaReports } from '../quota-reports/quota-reports.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Volume } from '../volumes/volume.ts'
import type { Volumes } from '../volumes/volumes.ts'
import { rollUpSeconds, startOfInterval, type UsageSample, usageResolutions } from './usage-point.ts'
import type { VolumeUsage } from './volume-usage.ts'

export interface UsageSamplerOptions {
  readonly repositories: Pick<StorageRepositories, 'usageHistory'>
  readonly volumes: Pick<Volumes, 'find' | 'space'>
  readonly quotaReports: Pick<QuotaReports, 'ofVolume'>
  readonly now: () => Date
  readonly clock: () => ClockTrust
  /** The interval of samples in seconds. */
  readonly seconds: number
  /** How long roll-ups of days are kept, in days. */
  readonly days: number
  readonly emit: Emit
}

/** Reads the usage of volumes at intervals. */
export interface UsageSampler {
  /**
   * Records the usage of a volume, unless another process has done so in this interval. Reads the space and the usage
   * once each, and counts no files by a walk.
   */
  sample(volume: Volume): Promise<void>
  /** Removes what has been kept for long enough, in a bounded number of steps. */
  removeOld(): Promise<void>
  /** The milliseconds until the next interval. */
  wait(): number
}

const DAY_SECONDS = 86_400
/** How much older than its period each resolution is kept. */
const SLACK_SECONDS = 7200
const keptDays = { sample: 1, 'half-hour': 7, 'two-hours': 31, day: Number.POSITIVE_INFINITY } as const
/** Removed intervals of each resolution in one turn. Each turn adds at most one. */
const STEPS = 32
/** A clock that is at most this far ahead of the last sample has not jumped since. */
const LONGEST_PAUSE_MS = 7 * DAY_SECONDS * 1000

export function createUsageSampler(options: UsageSamplerOptions): UsageSampler {
  const { repositories, volumes, quotaReports, now, clock, seconds, days, emit } = options
  const { usageHistory } = repositories
  /** Since when the clock agrees with the samples that were stored before. */
  let agreesSince: number | undefined

  async function sample(volume: Volume): Promise<void> {
    const at = startOfInterval(now(), seconds)
    const claim = await usageHistory.claim(volume.uuid, at, seconds)
    if (claim === 'taken') return emit('usage.sampled', volume, undefined)
    const elapsed = claim.previous && at.getTime() - claim.previous.getTime()
    if (elapsed !== undefined && elapsed > 0 && elapsed <= LONGEST_PAUSE_MS) agreesSince ??= clock().since.getTime()
    const stored = await volumes.find(volume.uuid).unwrapOr(volume)
    const usage = await usageOf(stored)
    await usageHistory.record(volume.uuid, at, seconds, samplesOf(usage))
    emit('usage.sampled', stored, usage)
  }

  async function usageOf(volume: Volume): Promise<VolumeUsage> {
    const space = await volumes.space(volume.uuid)
    if (!space) return { reports: [] }
    const reports = await quotaReports.ofVolume(volume, { files: false }).unwrapOr([])
    return { space, reports: reports.filter(({ isDefault }) => !isDefault) }
  }

  /** Samples cannot be restored, so a clock that has jumped removes none. */
  function isTrusted(): boolean {
    const { isTrusted, since } = clock()
    return isTrusted || agreesSince === since.getTime()
  }

  async function removeOld(): Promise<void> {
    if (!isTrusted()) return
    const before = (kept: number) => new Date(now().getTime() - (kept * DAY_SECONDS + SLACK_SECONDS) * 1000)
    for (const resolution of usageResolutions) {
      const oldest = before(Math.min(keptDays[resolution], days))
      for (let step = 0; step < STEPS; step += 1) if (!(await usageHistory.removeOldest(resolution, oldest))) break
    }
    for (let step = 0; step < STEPS; step += 1) if (!(await usageHistory.removeTargets(before(days + 1)))) break
  }

  return { sample, removeOld, wait: () => seconds * 1000 - (now().getTime() % (seconds * 1000)) }
}

function samplesOf({ space, reports }: VolumeUsage): readonly UsageSample[] {
  const ofTargets = reports.map(({ index, used }) => ({
    target: index,
    used: used.space,
    ...(used.files !== undefined && { files: used.files }),
  }))
  return space ? [{ ...space }, ...ofTargets] : ofTargets
}

/** The longest interval of samples, which is that of the first roll-up. */
export const LONGEST_INTERVAL_SECONDS = rollUpSeconds['half-hour']

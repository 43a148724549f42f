import { type LimitState, subjectKey } from '../limit-states/limit-state.ts'
import { withSoftAsHard } from '../quota-rules/quota-limits.ts'
import { limitTargetKey } from '../quotas/enforced-limits.ts'
import { anyButRoot, ownTarget } from '../quotas/limits-in-force.ts'
import type { Volume } from '../volumes/volume.ts'
import type { EnforcedLimit, LimitTarget, VolumeBackend } from '../volumes/volume-backend.ts'
import type { VolumeReport } from './report-volume.ts'
import type { GraceEnforcement, WatchedLimit } from './watched-limit.ts'

export interface WatchedLimitsOptions {
  readonly volume: Pick<Volume, 'gracePeriodSeconds'>
  readonly backend: Pick<VolumeBackend, 'unsupported'>
  readonly states: readonly LimitState[]
}

export type WatchedReport = VolumeReport & {
  readonly watched: { readonly space?: WatchedLimit; readonly files?: WatchedLimit }
}

/** Adds what is watched to reports. Reports without soft limits and thresholds get nothing. */
export async function withWatchedLimits(
  reports: readonly VolumeReport[],
  { volume, backend, states }: WatchedLimitsOptions,
): Promise<readonly WatchedReport[]> {
  const known = new Map(states.map((state) => [subjectKey(state.subject), state]))
  const periodOf = ({ quota }: VolumeReport) => quota.gracePeriodSeconds ?? volume.gracePeriodSeconds
  const probes = reports.flatMap((report) => (periodOf(report) === undefined ? [] : hardened(report)))
  const refused = new Map(
    (await backend.unsupported(probes)).map(({ target, limits }) => [limitTargetKey(target), limits]),
  )
  const enforcement = (report: VolumeReport, of: 'space' | 'files'): GraceEnforcement => {
    const limits = refused.get(limitTargetKey(hardTarget(report)))
    const isRefused = limits && (limits.length === 0 || limits.includes(of === 'space' ? 'spaceHard' : 'filesHard'))
    return isRefused ? 'none' : 'watcher'
  }
  const watchedLimitOf = (report: VolumeReport, of: 'space' | 'files'): WatchedLimit | undefined => {
    const [hard, soft] =
      of === 'space'
        ? [report.limits.spaceHard, report.limits.spaceSoft]
        : [report.limits.filesHard, report.limits.filesSoft]
    const thresholds = hard === undefined && soft === undefined ? [] : (report.quota.thresholds ?? [])
    if (soft === undefined && thresholds.length === 0) return undefined
    const state = known.get(subjectKey(subjectOf(report, of)))
    const periodSeconds = periodOf(report)
    const { exceededSince, graceStartedAt } = state ?? {}
    return {
      ...(exceededSince && { exceededSince }),
      ...(soft !== undefined &&
        periodSeconds !== undefined && {
          grace: {
            periodSeconds,
            enforcedBy: enforcement(report, of),
            ...(graceStartedAt && {
              startedAt: graceStartedAt,
              endsAt: new Date(graceStartedAt.getTime() + periodSeconds * 1000),
            }),
            hasEnded: state?.graceEndedAt !== undefined,
          },
        }),
      thresholds,
      reachedThresholds: (state?.thresholds ?? []).filter((percent) => thresholds.includes(percent)),
    }
  }
  return reports.map((report) => {
    const [space, files] = [watchedLimitOf(report, 'space'), watchedLimitOf(report, 'files')]
    return { ...report, watched: { ...(space && { space }), ...(files && { files }) } }
  })
}

/** The subject of a report's states. */
export const subjectOf = ({ quota, qtree, principal }: VolumeReport, of: 'space' | 'files') =>
  ({
    kind: 'limit',
    rule: quota.rule,
    ...(qtree && { qtree: qtree.id }),
    ...(principal && { principal }),
    of,
  }) as const

/** The limit of a report with its soft limits as hard ones. */
const hardened = (report: VolumeReport): EnforcedLimit => ({
  target: hardTarget(report),
  limits: withSoftAsHard(report.limits, ['space', 'files']),
})

const hardTarget = ({ target, principal = anyButRoot }: VolumeReport): LimitTarget => ownTarget(target, principal)

import type { QuotaReport } from '../quota-reports/quota-report.ts'
import type { VolumeUsage } from '../usage-history/volume-usage.ts'
import type { Volume } from '../volumes/volume.ts'
import type { GaugeValue, MetricDefinition, MetricLabels } from './metrics-recorder.ts'
import { storageMetrics } from './storage-metrics.ts'

/** The values of each gauge of usage, in place of all earlier ones. */
export type UsageGauges = readonly (readonly [MetricDefinition, readonly GaugeValue[]])[]

/**
 * Keeps the latest sample of each volume, and returns the gauges of all of them after each. The targets with the
 * largest use get gauges, and the number of the others is a gauge of their volume.
 *
 * @param most the number of targets with gauges
 */
export function createUsageGauges(most: number): (volume: Volume, usage: VolumeUsage | undefined) => UsageGauges {
  const latest = new Map<string, { readonly volume: Volume; readonly usage: VolumeUsage }>()
  return (volume, usage) => {
    if (usage) latest.set(volume.uuid, { volume, usage })
    else latest.delete(volume.uuid)
    const all = [...latest.values()]
    const shown = all
      .flatMap((one) => one.usage.reports)
      .toSorted((left, right) => right.used.space - left.used.space || left.index - right.index)
      .slice(0, most)
      .map((report) => ({ report, labels: labelsOf(report) }))
    const isShown = new Set(shown.map(({ report }) => report))
    const ofVolumes = (read: (usage: VolumeUsage) => number | undefined) =>
      all.flatMap((one) => gaugeOf(read(one.usage), { svm: one.volume.svm.name, volume: one.volume.name }))
    const ofTargets = (read: (report: QuotaReport) => number | bigint | undefined) =>
      shown.flatMap(({ report, labels }) => gaugeOf(read(report), labels))
    return [
      [storageMetrics.volumeSize, ofVolumes(({ space }) => space?.size)],
      [storageMetrics.volumeUsed, ofVolumes(({ space }) => space?.used)],
      [storageMetrics.volumeAvailable, ofVolumes(({ space }) => space?.available)],
      [
        storageMetrics.volumeQuotas,
        all.map((one) => ({
          value: 1,
          labels: { svm: one.volume.svm.name, volume: one.volume.name, state: one.volume.quotaState },
        })),
      ],
      [storageMetrics.quotaUsed, ofTargets(({ used }) => used.space)],
      [storageMetrics.quotaHardLimit, ofTargets(({ limits }) => limits.spaceHard)],
      [storageMetrics.quotaSoftLimit, ofTargets(({ limits }) => limits.spaceSoft)],
      [
        storageMetrics.quotaOmitted,
        ofVolumes(({ reports }) => reports.filter((report) => !isShown.has(report)).length),
      ],
    ]
  }
}

/** A limit may be too large for a number that is exact. */
const gaugeOf = (value: number | bigint | undefined, labels: MetricLabels): readonly GaugeValue[] =>
  value === undefined ? [] : [{ value: Number(value), labels }]

function labelsOf({ svm, volume, type, users, group, qtree }: QuotaReport): MetricLabels {
  const common = { svm: svm.name, volume: volume.name, type }
  if (type === 'tree') return { ...common, target: qtree?.name ?? '' }
  const principals = group ? [group] : users
  const target = principals.map(({ name, id }) => name ?? id ?? '').join(',')
  return { ...common, target, ...(qtree && { qtree: qtree.name }) }
}

import type { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from '../events/storage-events.ts'
import { createMeasure } from './measure.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'
import { storageMetrics } from './storage-metrics.ts'
import { createUsageGauges } from './usage-gauges.ts'

/** Records metrics of the events. `targets` is the number of quota targets that have gauges. */
export function recordMetrics(
  events: EventEmitter<StorageEvents>,
  recorder: MetricsRecorder,
  onFault: (error: unknown) => void,
  targets: number,
): void {
  const measure = createMeasure(recorder, onFault)
  events.on('jobs.counted', (count) => measure(storageMetrics.jobs, count, {}))
  events.on('job.ended', ({ state }) => measure(storageMetrics.endedJobs, 1, { state }))
  events.on('retention.removed', (kind, count) => measure(storageMetrics.expired, count, { kind }))
  events.on('clone-token.expired', () => measure(storageMetrics.expired, 1, { kind: 'clone-tokens' }))
  events.on('notice.published', ({ kind }) => measure(storageMetrics.notices, 1, { kind }))
  events.on('webhook.delivered', () => measure(storageMetrics.deliveries, 1, { outcome: 'delivered' }))
  events.on('webhook.failed', (_webhook, _notice, { isFinal }) =>
    measure(storageMetrics.deliveries, 1, { outcome: isFinal ? 'given-up' : 'failed' }),
  )
  const gaugesAfter = createUsageGauges(targets)
  events.on('usage.sampled', (volume, usage) => {
    for (const [metric, values] of gaugesAfter(volume, usage)) {
      try {
        recorder.replace?.(metric, values)
      } catch (error) {
        onFault(error)
      }
    }
  })
}

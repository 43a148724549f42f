import type { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from '../events/storage-events.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'
import { storageMetrics } from './storage-metrics.ts'

/** Records metrics of the events. */
export function recordMetrics(events: EventEmitter<StorageEvents>, recorder: MetricsRecorder): void {
  events.on('jobs.counted', (count) => recorder.record(storageMetrics.jobs, count, {}))
  events.on('job.ended', ({ state }) => recorder.record(storageMetrics.endedJobs, 1, { state }))
  events.on('retention.removed', (kind, count) => recorder.record(storageMetrics.expired, count, { kind }))
  events.on('clone-token.expired', () => recorder.record(storageMetrics.expired, 1, { kind: 'clone-tokens' }))
}

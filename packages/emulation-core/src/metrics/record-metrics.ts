import type { EventEmitter } from 'eventemitter3'
import type { EmulationEvents } from '../events/emulation-events.ts'
import { emulationMetrics } from './emulation-metrics.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'

/** Records the metrics of the events. */
export function recordMetrics(events: EventEmitter<EmulationEvents>, recorder: MetricsRecorder): void {
  events.on('instances.counted', (kind, running) => recorder.record(emulationMetrics.running, running, { kind }))
  events.on('instance.started', ({ kind }, { accelerator }) =>
    recorder.record(emulationMetrics.starts, 1, accelerator === undefined ? { kind } : { kind, accelerator }),
  )
  events.on('captures.counted', ({ running, bytes }) => {
    recorder.record(emulationMetrics.captures, running, {})
    recorder.record(emulationMetrics.captureBytes, bytes, {})
  })
  events.on('capture.stopped', (_, { limit }) => {
    if (limit !== undefined) recorder.record(emulationMetrics.limitedCaptures, 1, { limit })
  })
  events.on('retention.removed', (kind, count) => recorder.record(emulationMetrics.expired, count, { kind }))
  events.on('instance.logged', ({ kind }, bytes) => recorder.record(emulationMetrics.logged, bytes, { kind }))
  events.on('console.refused', (_, port) => recorder.record(emulationMetrics.consoleRefusals, 1, { port }))
}

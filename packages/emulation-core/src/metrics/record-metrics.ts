import type { EventEmitter } from 'eventemitter3'
import type { EmulationEvents } from '../events/emulation-events.ts'
import { emulationMetrics } from './emulation-metrics.ts'
import { createMeasure } from './measure.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'

/** Records the metrics of the events. */
export function recordMetrics(
  events: EventEmitter<EmulationEvents>,
  recorder: MetricsRecorder,
  onFault: (error: unknown) => void,
): void {
  const measure = createMeasure(recorder, onFault)
  events.on('instances.counted', (kind, running) => measure(emulationMetrics.running, running, { kind }))
  events.on('instance.started', ({ kind }, { accelerator }) =>
    measure(emulationMetrics.starts, 1, accelerator === undefined ? { kind } : { kind, accelerator }),
  )
  events.on('captures.counted', ({ running, bytes }) => {
    measure(emulationMetrics.captures, running, {})
    measure(emulationMetrics.captureBytes, bytes, {})
  })
  events.on('capture.stopped', (_, { limit }) => {
    if (limit !== undefined) measure(emulationMetrics.limitedCaptures, 1, { limit })
  })
  events.on('retention.removed', (kind, count) => measure(emulationMetrics.expired, count, { kind }))
  events.on('instance.logged', ({ kind }, bytes) => measure(emulationMetrics.logged, bytes, { kind }))
  events.on('console.refused', (_, port) => measure(emulationMetrics.consoleRefusals, 1, { port }))
}

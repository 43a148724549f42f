import { type Counter, createNoopMeter, type Gauge, type Histogram, type Meter, metrics } from '@opentelemetry/api'
import type { GaugeValue, MetricDefinition, MetricsRecorder } from './metrics-recorder.ts'

/**
 * Records metrics with OpenTelemetry. Returns `undefined` without an SDK. The host must register its SDK before, because
 * instruments that are created without an SDK never record anything.
 */
export function openTelemetryMetrics(): MetricsRecorder | undefined {
  const meter = metrics.getMeter('@trivium/gateway-core')
  if (isNoop(meter)) return undefined
  const instruments = new Map<MetricDefinition, Counter | Gauge | Histogram>()
  const replaced = new Map<MetricDefinition, readonly GaugeValue[]>()

  const instrumentOf = (metric: MetricDefinition): Counter | Gauge | Histogram => {
    const known = instruments.get(metric)
    if (known) return known
    const made = instrumentIn(meter, metric)
    instruments.set(metric, made)
    return made
  }

  return {
    record(metric, value, labels) {
      const instrument = instrumentOf(metric)
      if ('add' in instrument) instrument.add(value, labels)
      else instrument.record(value, labels)
    },
    replace(metric, values) {
      const isNew = !replaced.has(metric)
      replaced.set(metric, values)
      if (!isNew) return
      const { name, description, unit } = metric
      meter.createObservableGauge(name, { description, unit }).addCallback((result) => {
        for (const { value, labels } of replaced.get(metric) ?? []) result.observe(value, labels)
      })
    },
  }
}

function instrumentIn(
  meter: Meter,
  { name, kind, description, unit, buckets }: MetricDefinition,
): Counter | Gauge | Histogram {
  if (kind === 'counter') return meter.createCounter(name, { description, unit })
  if (kind === 'gauge') return meter.createGauge(name, { description, unit })
  const advice = buckets ? { advice: { explicitBucketBoundaries: [...buckets] } } : {}
  return meter.createHistogram(name, { description, unit, ...advice })
}

/** Without an SDK, every meter of the API returns the same counter, which does nothing. */
const isNoop = (meter: Meter): boolean => meter.createCounter('trivium.probe') === createNoopMeter().createCounter('')

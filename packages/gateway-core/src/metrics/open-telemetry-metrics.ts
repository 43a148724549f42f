import { type Counter, createNoopMeter, type Histogram, type Meter, metrics } from '@opentelemetry/api'
import type { MetricDefinition, MetricsRecorder } from './metrics-recorder.ts'

/**
 * Measures with OpenTelemetry; `undefined` without an SDK. The host has to register its SDK before: the API hands out
 * instruments for good, and those without one do nothing.
 */
export function openTelemetryMetrics(): MetricsRecorder | undefined {
  const meter = metrics.getMeter('@trivium/gateway-core')
  if (doesNothing(meter)) return undefined
  const instruments = new Map<MetricDefinition, Counter | Histogram>()

  const instrumentOf = (metric: MetricDefinition): Counter | Histogram => {
    const { name, kind, description, unit, buckets } = metric
    const known = instruments.get(metric)
    if (known) return known
    const advice = buckets ? { advice: { explicitBucketBoundaries: [...buckets] } } : {}
    const made =
      kind === 'counter'
        ? meter.createCounter(name, { description, unit })
        : meter.createHistogram(name, { description, unit, ...advice })
    instruments.set(metric, made)
    return made
  }

  return {
    record(metric, value, labels) {
      const instrument = instrumentOf(metric)
      if ('add' in instrument) instrument.add(value, labels)
      else instrument.record(value, labels)
    },
  }
}

/** An SDK makes instruments; without one the API has a single counter that counts nothing. */
const doesNothing = (meter: Meter): boolean =>
  meter.createCounter('trivium.probe') === createNoopMeter().createCounter('')

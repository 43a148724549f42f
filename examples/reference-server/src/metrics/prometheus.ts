import type { MetricDefinition, MetricsRecorder } from '@trivium/gateway-core/ports'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { type SeriesSet, seriesSet } from './series.ts'

export interface PrometheusMetrics {
  readonly recorder: MetricsRecorder
  /** Counts a request that was refused for its credentials, its origin or a limit. */
  refused(reason: string): void
  /** Returns all metrics, with those of the process, in the Prometheus text format. */
  text(): Promise<string>
  /** Returns all metrics as values that can be sent to another process. */
  snapshot(): Promise<MetricsSnapshot>
}

/** The metrics of one process, as prom-client sums them. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const refusals = new Counter({
    name: 'trivium_refused_requests_total',
    help: 'Requests that were refused for their credentials, their origin or a limit',
    labelNames: ['reason'],
    registers: [registry],
  })
  const all = new Map<string, SeriesSet>()

  const seriesOf = (metric: MetricDefinition): SeriesSet => {
    const known = all.get(metric.name)
    if (known) return known
    const made = seriesSet(registry, metric)
    all.set(metric.name, made)
    return made
  }

  return {
    recorder: {
      record(metric, value, labels) {
        seriesOf(metric).of(labels).add(value)
      },
      replace(metric, values) {
        const series = seriesOf(metric)
        series.clear()
        for (const { value, labels } of values) series.of(labels).add(value)
      },
    },
    refused: (reason) => refusals.inc({ reason }),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

import type { MetricDefinition, MetricLabels, MetricsRecorder } from '@trivium/gateway-core/ports'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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
  const instruments = new Map<string, (value: number, labels: Record<string, string>) => void>()

  const instrumentOf = (metric: MetricDefinition) => {
    const known = instruments.get(metric.name)
    if (known) return known
    const made = define(registry, metric)
    instruments.set(metric.name, made)
    return made
  }

  return {
    recorder: {
      record(metric, value, labels) {
        instrumentOf(metric)(value, prometheusLabels(labels))
      },
    },
    refused: (reason) => refusals.inc({ reason }),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

/** The suffixes of Prometheus for the names of metrics, by unit. */
const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

function define(registry: Registry, { name, kind, description, unit, buckets, labels: labelNames }: MetricDefinition) {
  // Prometheus requires the names when a metric is defined.
  const options = { help: description, labelNames: labelNames.map(prometheusName), registers: [registry] }
  const plain = `${prometheusName(name)}${unitSuffixes[unit] ?? ''}`
  if (kind === 'counter') {
    const counter = new Counter({ ...options, name: `${plain}_total` })
    return (value: number, labels: Record<string, string>) => counter.inc(labels, value)
  }
  if (kind === 'gauge') {
    const gauge = new Gauge({ ...options, name: plain })
    return (value: number, labels: Record<string, string>) => gauge.set(labels, value)
  }
  const histogram = new Histogram({ ...options, name: plain, ...(buckets ? { buckets: [...buckets] } : {}) })
  return (value: number, labels: Record<string, string>) => histogram.observe(labels, value)
}

const prometheusName = (name: string): string => name.replaceAll('.', '_')

const prometheusLabels = (labels: MetricLabels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [prometheusName(name), value]))

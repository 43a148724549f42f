import type { MetricDefinition, MetricLabels, MetricsRecorder } from '@trivium/gateway-core/ports'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface PrometheusMetrics {
  readonly recorder: MetricsRecorder
  /** Counts a request that was not let in, or that a limit refused. */
  refused(reason: string): void
  /** All metrics, those of the process included, in the Prometheus text format. */
  text(): Promise<string>
}

export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const refusals = new Counter({
    name: 'trivium_refused_requests_total',
    help: 'Requests that were refused before they were read, and those over a limit',
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
        instrumentOf(metric)(value, promLabels(labels))
      },
    },
    refused: (reason) => refusals.inc({ reason }),
    text: () => registry.metrics(),
  }
}

/** Prometheus wants a metric's labels named with it; these are all that the services give to any. */
const labelNames = [
  ...['gen_ai_operation_name', 'gen_ai_request_model', 'gen_ai_provider_name', 'gen_ai_token_type'],
  ...['error_type', 'status', 'reason', 'kind', 'id', 'state', 'limit', 'port', 'accelerator'],
]

/** How Prometheus ends the names of metrics in these units. */
const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

function define(registry: Registry, { name, kind, description, unit, buckets }: MetricDefinition) {
  const options = { help: description, labelNames, registers: [registry] }
  const plain = `${name.replaceAll('.', '_')}${unitSuffixes[unit] ?? ''}`
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

const promLabels = (labels: MetricLabels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name.replaceAll('.', '_'), value]))

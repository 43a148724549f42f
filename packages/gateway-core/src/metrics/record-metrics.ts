import type { EventEmitter } from 'eventemitter3'
import type { FinishedRequest, GatewayEvents } from '../events/gateway-events.ts'
import { operationName } from '../telemetry/request-span.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import type { MetricLabels, MetricsRecorder } from './metrics-recorder.ts'

/** The most models with their own label. Recorders keep labels permanently, and some upstreams accept any model name. */
const MAX_MODELS = 1_000

/** Records metrics from the events. */
export function recordMetrics(events: EventEmitter<GatewayEvents>, recorder: MetricsRecorder): void {
  const models = new Set<string>()
  const labelOf = (model: string): string => {
    if (models.size < MAX_MODELS) models.add(model)
    return models.has(model) ? model : 'other'
  }
  events.on('request.finished', (record, finished) => recordRequest(recorder, record, finished, labelOf(record.model)))
  events.on('limit.exceeded', () => recorder.record(gatewayMetrics.refusals, 1, { reason: 'rate-limit' }))
  events.on('budget.exceeded', (_, window) =>
    recorder.record(gatewayMetrics.refusals, 1, { reason: `${window}-budget` }),
  )
  events.on('provider.failed', ({ provider, error }) =>
    recorder.record(gatewayMetrics.upstreamFailures, 1, { 'gen_ai.provider.name': provider, 'error.type': error.type }),
  )
  events.on('circuit.opened', ({ kind, id }) => recorder.record(gatewayMetrics.circuitOpenings, 1, { kind, id }))
  events.on('retention.removed', (kind, count) => recorder.record(gatewayMetrics.expired, count, { kind }))
  events.on('usage.dropped', (records, reason) =>
    recorder.record(gatewayMetrics.droppedUsage, records.length, { reason }),
  )
}

function recordRequest(
  recorder: MetricsRecorder,
  record: UsageRecord,
  { errorType }: FinishedRequest,
  model: string,
): void {
  const labels: MetricLabels = {
    'gen_ai.operation.name': operationName(record.operation),
    'gen_ai.request.model': model,
    ...(record.provider === undefined ? {} : { 'gen_ai.provider.name': record.provider }),
  }
  const withError = errorType === undefined ? labels : { ...labels, 'error.type': errorType }
  recorder.record(gatewayMetrics.duration, record.latencyMs / 1000, withError)
  recorder.record(gatewayMetrics.requests, 1, { ...labels, status: String(record.status) })
  if (record.firstTokenMs !== undefined) {
    recorder.record(gatewayMetrics.firstToken, record.firstTokenMs / 1000, labels)
  }
  for (const [type, tokens] of [
    ['input', record.inputTokens],
    ['output', record.outputTokens],
  ] as const) {
    if (tokens > 0) recorder.record(gatewayMetrics.tokens, tokens, { ...labels, 'gen_ai.token.type': type })
  }
}

import type { EventEmitter } from 'eventemitter3'
import type { BudgetExceeded } from '../budgets/budget-error.ts'
import type { FinishedRequest, GatewayEvents, GuardrailEvent } from '../events/gateway-events.ts'
import { operationName } from '../telemetry/request-span.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import { createMeasure, type Measure } from './measure.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'

/** The most models with their own label. Recorders keep labels permanently, and some upstreams accept any model name. */
const MAX_MODELS = 1_000

/** Records metrics from the events. */
export function recordMetrics(
  events: EventEmitter<GatewayEvents>,
  recorder: MetricsRecorder,
  onFault: (error: unknown) => void,
): void {
  const measure = createMeasure(recorder, onFault)
  const models = new Set<string>()
  const labelOf = (model: string): string => {
    if (models.size < MAX_MODELS) models.add(model)
    return models.has(model) ? model : 'other'
  }
  events.on('request.finished', (record, finished) => recordRequest(measure, record, finished, labelOf(record.model)))
  events.on('limit.exceeded', () => measure(gatewayMetrics.refusals, 1, { reason: 'rate-limit' }))
  events.on('budget.exceeded', (_, error) => measure(gatewayMetrics.refusals, 1, { reason: reasonOf(error) }))
  for (const action of ['blocked', 'masked', 'reported', 'failed'] as const) {
    events.on(`guardrail.${action}`, ({ guardrail, side }: Pick<GuardrailEvent, 'guardrail' | 'side'>) =>
      measure(gatewayMetrics.guardrailFindings, 1, { guardrail, side, action }),
    )
  }
  events.on('provider.failed', ({ provider, error }) =>
    measure(gatewayMetrics.upstreamFailures, 1, { 'gen_ai.provider.name': provider, 'error.type': error.type }),
  )
  events.on('circuit.opened', ({ kind, id }) => measure(gatewayMetrics.circuitOpenings, 1, { kind, id }))
  events.on('retention.removed', (kind, count) => measure(gatewayMetrics.expired, count, { kind }))
  events.on('usage.dropped', (records, reason) => measure(gatewayMetrics.droppedUsage, records.length, { reason }))
  events.on('request-log.dropped', (count, reason) => measure(gatewayMetrics.droppedLog, count, { reason }))
}

function reasonOf(error: BudgetExceeded): BudgetReason {
  switch (error.type) {
    case 'budget-exceeded':
      return `${error.window}-budget`
    case 'spend-exceeded':
      return 'money-budget'
    case 'parallel-exceeded':
      return 'parallel-requests'
  }
}

type BudgetReason = 'minute-budget' | 'day-budget' | 'money-budget' | 'parallel-requests'

function recordRequest(measure: Measure, record: UsageRecord, { errorType }: FinishedRequest, model: string): void {
  const labels = {
    'gen_ai.operation.name': operationName(record.operation),
    'gen_ai.request.model': model,
    ...(record.provider === undefined ? {} : { 'gen_ai.provider.name': record.provider }),
  }
  const withError = errorType === undefined ? labels : { ...labels, 'error.type': errorType }
  measure(gatewayMetrics.duration, record.latencyMs / 1000, withError)
  measure(gatewayMetrics.requests, 1, { ...labels, status: String(record.status) })
  if (record.cacheHit) measure(gatewayMetrics.cachedAnswers, 1, labels)
  if (record.firstTokenMs !== undefined) {
    measure(gatewayMetrics.firstToken, record.firstTokenMs / 1000, labels)
  }
  if (record.cost) measure(gatewayMetrics.cost, record.cost / 1e9, labels)
  if (record.searches > 0) measure(gatewayMetrics.searches, record.searches, labels)
  for (const [type, tokens] of [
    ['cache_read', record.cachedTokens],
    ['cache_creation', record.cacheWriteTokens],
    ['reasoning', record.reasoningTokens],
    ['audio_input', record.audioInputTokens],
    ['audio_output', record.audioOutputTokens],
  ] as const) {
    if (tokens > 0) measure(gatewayMetrics.tokenDetails, tokens, { ...labels, type })
  }
  for (const [type, tokens] of [
    ['input', record.inputTokens],
    ['output', record.outputTokens],
  ] as const) {
    if (tokens > 0) measure(gatewayMetrics.tokens, tokens, { ...labels, 'gen_ai.token.type': type })
  }
}

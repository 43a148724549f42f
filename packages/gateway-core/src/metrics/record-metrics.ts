import type { EventEmitter } from 'eventemitter3'
import type { BudgetExceeded } from '../budgets/budget-error.ts'
import type { GatewayEvents, GuardrailEvent } from '../events/gateway-events.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import { createMeasure, type Measure } from './measure.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'
import { RequestLabelSets, type RequestLabels } from './request-labels.ts'

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
  const labels = new RequestLabelSets()
  events.on('request.finished', (record, { errorType }) =>
    recordRequest(measure, record, labels.of(record, labelOf(record.model), errorType)),
  )
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

const tokenParts = [
  ['cache_read', 'cachedTokens'],
  ['cache_creation', 'cacheWriteTokens'],
  ['reasoning', 'reasoningTokens'],
  ['audio_input', 'audioInputTokens'],
  ['audio_output', 'audioOutputTokens'],
] as const

function recordRequest(measure: Measure, record: UsageRecord, labels: RequestLabels): void {
  measure(gatewayMetrics.duration, record.latencyMs / 1000, labels.withError)
  measure(gatewayMetrics.requests, 1, labels.withStatus)
  if (record.cacheHit) measure(gatewayMetrics.cachedAnswers, 1, labels.plain)
  if (record.firstTokenMs !== undefined) measure(gatewayMetrics.firstToken, record.firstTokenMs / 1000, labels.plain)
  if (record.cost) measure(gatewayMetrics.cost, record.cost / 1e9, labels.plain)
  if (record.searches > 0) measure(gatewayMetrics.searches, record.searches, labels.plain)
  for (const [type, name] of tokenParts) {
    const tokens = record[name]
    if (tokens > 0) measure(gatewayMetrics.tokenDetails, tokens, labels.ofPart(type))
  }
  if (record.inputTokens > 0) measure(gatewayMetrics.tokens, record.inputTokens, labels.input)
  if (record.outputTokens > 0) measure(gatewayMetrics.tokens, record.outputTokens, labels.output)
}

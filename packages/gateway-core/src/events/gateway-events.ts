import type { ApiKey } from '../api-keys/api-key.ts'
import type { ApiKeyChange } from '../api-keys/api-keys.ts'
import type { DropReason } from '../batches/batch-writer.ts'
import type { BudgetExceeded } from '../budgets/budget-error.ts'
import type { GatewayCall } from '../caller.ts'
import type { GuardedSide } from '../guardrails/guardrail.ts'
import type { FailedAttempt } from '../providers/failed-attempt.ts'
import type { RateState } from '../rate-limits/rate-limiter.ts'
import type { LogDropReason } from '../request-log/request-log-writer.ts'
import type { RetainedKind } from '../retention/retention.ts'
import type { UsageRecord } from '../usage/usage-record.ts'

/**
 * The events of a gateway. Listeners run synchronously while requests wait, so they must be fast. Their errors are
 * reported to `onFault`.
 */
export interface GatewayEvents {
  /** A key was created. */
  'key.created': [key: ApiKey]
  /** A key was changed as `change` states. */
  'key.changed': [key: ApiKey, change: Exclude<ApiKeyChange, 'created'>]
  /** A request was admitted. No upstream was called yet. */
  'request.started': [request: StartedRequest]
  /** The first event of a stream has arrived, that many milliseconds after the admission. */
  'request.first-byte': [request: StartedRequest, milliseconds: number]
  /** The answer has ended, complete or not. */
  'request.finished': [record: UsageRecord, finished: FinishedRequest]
  /** The rate limit of a key or a user refused a request. */
  'limit.exceeded': [call: Pick<GatewayCall, 'requestId' | 'caller'>, state: RateState]
  /** A limit of tokens, money or requests at the same time refused a request. */
  'budget.exceeded': [call: Pick<GatewayCall, 'requestId' | 'caller'>, error: BudgetExceeded]
  /** That many requests of processes that have exited were settled at the most that they can have cost. */
  'budget.recovered': [requests: number]
  /** A guardrail has refused a request, or ended an answer. Each category is emitted once for a request and side. */
  'guardrail.blocked': [finding: GuardrailEvent]
  /** A guardrail has replaced a part of a text. */
  'guardrail.masked': [finding: GuardrailEvent]
  /** A guardrail has found something that it lets pass. */
  'guardrail.reported': [finding: GuardrailEvent]
  /** A guardrail has thrown, rejected or not answered in time. */
  'guardrail.failed': [failed: Omit<GuardrailEvent, 'category'>]
  /** One attempt at an upstream failed. Another attempt may follow. */
  'provider.failed': [attempt: FailedAttempt]
  /** A provider, a model of it or a search engine is not called any longer because it failed. */
  'circuit.opened': [circuit: CircuitTarget]
  /** It is called again. */
  'circuit.closed': [circuit: CircuitTarget]
  /** Records older than their retention were removed. */
  'retention.removed': [kind: RetainedKind, count: number]
  /**
   * Old records are not removed yet because the clock is not trusted: no usage is from one to two days ago, and the
   * clock has not run evenly for 24 hours in this process. Emitted once each time the clock is no longer trusted.
   * `newestUsage` is the time of the newest record that is at least a day old.
   */
  'retention.waiting': [newestUsage: Date | undefined]
  /** Usage records were dropped and are lost. */
  'usage.dropped': [records: readonly UsageRecord[], reason: DropReason]
  /** That many entries of the request log were dropped and are lost. */
  'request-log.dropped': [count: number, reason: LogDropReason]
}

/** What a guardrail has found, without the text. */
export interface GuardrailEvent extends Pick<GatewayCall, 'requestId' | 'caller'> {
  /** The id of the guardrail. */
  readonly guardrail: string
  readonly side: GuardedSide
  /** As the client names it. */
  readonly model: string
  /** At most 100 characters, such as the name of a pattern. */
  readonly category: string
}

/** A request when it starts. */
export interface StartedRequest {
  readonly requestId: string
  readonly operation: UsageRecord['operation']
  readonly model: string
}

/** Facts about a finished request that its usage record does not contain. */
export interface FinishedRequest {
  readonly requestId: string
  /** The type of the error. Absent for a success. */
  readonly errorType?: string
  /** The model of the answer, as the upstream reports it. */
  readonly responseModel?: string
}

/** What a circuit protects. */
export interface CircuitTarget {
  readonly kind: 'provider' | 'search-engine'
  readonly id: string
  /**
   * The provider's own id of one of its models. Absent where the whole provider is unreachable, and for search engines.
   */
  readonly model?: string
}

import type { ApiKey } from '../api-keys/api-key.ts'
import type { ApiKeyChange } from '../api-keys/api-keys.ts'
import type { GatewayCall } from '../caller.ts'
import type { FailedAttempt } from '../providers/failed-attempt.ts'
import type { RateState } from '../rate-limits/rate-limiter.ts'
import type { RetainedKind } from '../retention/retention.ts'
import type { UsageRecord } from '../usage/usage-record.ts'

/**
 * What happens in a gateway. Listeners run at once and on the path of requests: they should be quick. What they throw
 * goes to `onFault`.
 */
export interface GatewayEvents {
  /** A key was made or changed; `change` says how. */
  'key.created': [key: ApiKey]
  'key.changed': [key: ApiKey, change: Exclude<ApiKeyChange, 'created'>]
  /** Admitted, before any upstream is asked. */
  'request.started': [request: StartedRequest]
  /** The first event of a stream is known. */
  'request.first-byte': [request: StartedRequest, milliseconds: number]
  /** The answer has gone, or what there was of it. */
  'request.finished': [record: UsageRecord, finished: FinishedRequest]
  'limit.exceeded': [call: Pick<GatewayCall, 'requestId' | 'caller'>, state: RateState]
  'budget.exceeded': [key: ApiKey, window: 'minute' | 'day']
  /** One attempt at an upstream failed; another one may have followed. */
  'provider.failed': [attempt: FailedAttempt]
  'circuit.opened': [circuit: CircuitPlace]
  'circuit.closed': [circuit: CircuitPlace]
  /** What was older than it is kept for was removed. */
  'retention.removed': [kind: RetainedKind, count: number]
  /**
   * What is old is not removed yet, since nothing shows that the clock is right: no usage is from one to two days ago, and
   * the process has not seen the clock run evenly for 24 hours. Emitted once, and again after each time that it was trusted.
   * `newestUsage` is the newest that is at least a day old.
   */
  'retention.waiting': [newestUsage: Date | undefined]
  /** Records that will never be kept. */
  'usage.dropped': [records: readonly UsageRecord[], reason: 'queue-full' | 'closed']
}

export interface StartedRequest {
  readonly requestId: string
  readonly operation: UsageRecord['operation']
  readonly model: string
}

export interface FinishedRequest {
  readonly requestId: string
  /** The kind of error, where there was one. */
  readonly errorType?: string
  /** The model that the upstream says has answered. */
  readonly responseModel?: string
}

export interface CircuitPlace {
  readonly kind: 'provider' | 'search-engine'
  readonly id: string
  /** Of a provider; absent where the provider cannot be reached. */
  readonly model?: string
}

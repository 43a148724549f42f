import type { Caller } from '../caller.ts'
import type { PolicyHolder } from '../policies/policy-decisions.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import type { LoggedTexts } from './logged-text.ts'

/** One request of the log: an admitted one that has ended, or one that was refused before any upstream. */
export interface LoggedRequest extends Omit<UsageRecord, 'id' | 'model'>, LoggedTexts {
  /** That of its usage record, for an admitted request. Unique among all entries. */
  readonly id: UsageId
  /** The `x-request-id` of the answer. */
  readonly requestId: string
  readonly caller: Caller['type']
  /** Absent where the request was refused before its body was read. */
  readonly model?: string
  /** The type of the error, as `rate-limited`. Absent for a success. */
  readonly errorType?: string
  /** What the upstream or the gateway says about the error, at most 500 characters. */
  readonly errorMessage?: string
  /** Whose rule or limit has refused the request. */
  readonly refusedBy?: PolicyHolder
  /** The route, in the order in which upstreams were tried. At most 50. */
  readonly attempts: readonly LoggedAttempt[]
  /** The number of attempts beyond those. @default 0 */
  readonly omittedAttempts?: number
}

/** One attempt at an upstream, or an upstream that was passed over. */
export interface LoggedAttempt {
  /** The id of the provider or the search engine. */
  readonly provider: string
  /** The upstream's own id of the model. Absent where no model was called. */
  readonly upstreamModel?: string
  /** Why it was made: `retry` at the same model, `fallback` at the next one. */
  readonly cause: AttemptCause
  /** Set where the upstream was not called. */
  readonly passedOver?: PassedOver
  /** Milliseconds after the admission of the request. */
  readonly startMs: number
  /** In whole milliseconds, of the one that answered until the end of its answer. */
  readonly durationMs: number
  /** 200 for one that answered, otherwise the status of its error. */
  readonly status: number
  /** Absent for one that answered. `refusal` for an answer in which the model refuses, after which another one was asked. */
  readonly errorType?: string
  /** At most 500 characters. */
  readonly errorMessage?: string
}

/** Why an attempt was made. */
export type AttemptCause = 'first' | 'retry' | 'fallback'

/** Why an upstream was not called: it has failed, it accepts no request now, or as many as it may get are running. */
export type PassedOver = 'circuit-open' | 'paused' | 'busy'

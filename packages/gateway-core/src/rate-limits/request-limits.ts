import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { ApiKey } from '../api-keys/api-key.ts'
import type { GatewayCall } from '../caller.ts'
import type { Outcome } from '../outcome.ts'
import type { RateDecision, RateLimiter, RateState } from './rate-limiter.ts'

export type LimitError =
  | { readonly type: 'rate-limited'; readonly state: RateState; readonly retryAfterMs: number }
  /** The store is down, and the gateway refuses then. */
  | { readonly type: 'limits-unavailable' }

/** Lets requests of a key in, as many as its limit says. */
export interface RequestLimits {
  /** Counts the request, and leaves the key's state on the call. */
  admit(call: GatewayCall): Outcome<void, LimitError>
  /** Tells without counting. */
  inspect(key: ApiKey): Promise<RateState>
}

export interface RequestLimitsOptions {
  readonly limiter: RateLimiter
  readonly onStoreFailure: 'refuse' | 'admit'
  readonly now: () => Date
  readonly onAdmitted: (key: ApiKey, at: Date) => void
  readonly onRefused: (call: GatewayCall, key: ApiKey, state: RateState) => void
  readonly onFault: (error: unknown) => void
}

export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
  const { limiter, onStoreFailure, now, onAdmitted, onRefused, onFault } = options

  const decided = (call: GatewayCall, key: ApiKey, at: Date, decision: RateDecision): Result<void, LimitError> => {
    call.rate = decision
    if (decision.admitted) {
      onAdmitted(key, at)
      return ok()
    }
    onRefused(call, key, decision)
    const retryAfterMs = Math.max(1, decision.resetAt.getTime() - at.getTime())
    return err({ type: 'rate-limited', state: decision, retryAfterMs })
  }

  const failed = (key: ApiKey, at: Date, error: unknown): Result<void, LimitError> => {
    onFault(error)
    if (onStoreFailure === 'refuse') return err({ type: 'limits-unavailable' })
    onAdmitted(key, at)
    return ok()
  }

  const admit = (call: GatewayCall, key: ApiKey): Outcome<void, LimitError> => {
    const at = now()
    const decision = limiter.admit(key.id, key.rateLimit, at)
    if ('admitted' in decision) return decided(call, key, at, decision)
    const later = Promise.resolve(decision).then(
      (made) => decided(call, key, at, made),
      (error) => failed(key, at, error),
    )
    return new ResultAsync(later)
  }

  return {
    admit: (call) => (call.caller.type === 'key' ? admit(call, call.caller.key) : ok()),
    inspect: (key) => limiter.inspect(key.id, key.rateLimit, now()),
  }
}

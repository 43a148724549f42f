import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { GatewayCall } from '../caller.ts'
import type { Outcome } from '../outcome.ts'
import type { RateDecision, RateLimiter, RateState } from './rate-limiter.ts'

/** Why a request was not admitted. */
export type LimitError =
  | { readonly type: 'rate-limited'; readonly state: RateState; readonly retryAfterMs: number }
  /** The store has failed, and the gateway is configured to refuse then. */
  | { readonly type: 'limits-unavailable' }

/** Admits requests of keys up to their limits. */
export interface RequestLimits {
  /** Counts the request and sets `call.rate`. Callers without a key are always admitted. */
  admit(call: GatewayCall): Outcome<void, LimitError>
  /**
   * Refuses a request that {@link admit} would refuse, without asking the store: this process has refused the key before,
   * and its window has not moved since. Sets `call.rate`.
   */
  refuse(call: GatewayCall): LimitError | undefined
  /** Returns the state of a key without counting. */
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

/** The most keys whose last refusal is cached. The oldest one is removed first. */
const MAX_REFUSED = 10_000

interface Refusal {
  readonly at: Date
  readonly state: RateState
}

export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
  const { limiter, onStoreFailure, now, onAdmitted, onRefused, onFault } = options

  const refusals = new Map<ApiKeyId, Refusal>()

  const refused = (call: GatewayCall, key: ApiKey, at: Date, state: RateState): LimitError => {
    call.rate = state
    onRefused(call, key, state)
    return { type: 'rate-limited', state, retryAfterMs: Math.max(1, state.resetAt.getTime() - at.getTime()) }
  }

  const decided = (call: GatewayCall, key: ApiKey, at: Date, decision: RateDecision): Result<void, LimitError> => {
    refusals.delete(key.id)
    if (decision.admitted) {
      call.rate = decision
      onAdmitted(key, at)
      return ok()
    }
    refusals.set(key.id, { at, state: decision })
    if (refusals.size > MAX_REFUSED) refusals.delete(refusals.keys().next().value ?? key.id)
    return err(refused(call, key, at, decision))
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
    refuse: (call) => {
      if (call.caller.type !== 'key') return undefined
      const { key } = call.caller
      const known = refusals.get(key.id)
      if (!known) return undefined
      const at = now()
      // The store decides after the clock went back, the window moved or the limit changed.
      const isCurrent = at >= known.at && at < known.state.resetAt && key.rateLimit === known.state.limit
      return isCurrent ? refused(call, key, at, known.state) : undefined
    },
    inspect: (key) => limiter.inspect(key.id, key.rateLimit, now()),
  }
}

import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { type Account, accountOf, groupAccountsOf, holderOf } from '../accounts/account.ts'
import type { AccountId } from '../accounts/account-id.ts'
import type { GatewayCall } from '../caller.ts'
import { andThen, type Outcome } from '../outcome.ts'
import type { PolicyHolder } from '../policies/policy-decisions.ts'
import type { RateDecision, RateLimiter, RateState } from './rate-limiter.ts'

/** Why a request was not admitted. */
export type LimitError =
  | {
      readonly type: 'rate-limited'
      readonly holder: PolicyHolder
      readonly state: RateState
      readonly retryAfterMs: number
    }
  /** The store has failed, and the gateway is configured to refuse then. */
  | { readonly type: 'limits-unavailable' }

/** Admits requests of keys and users up to their limits. */
export interface RequestLimits {
  /**
   * Counts the request on the account of its caller, and on those of its team and its user. Sets `call.rate` to the state
   * with the fewest requests left. Callers without a limit are always admitted. A request that a team refuses first counts
   * on the key, as long as this process does not know that the team refuses.
   */
  admit(call: GatewayCall): Outcome<void, LimitError>
  /**
   * Refuses a request that {@link admit} would refuse, without asking the store: this process has refused its account
   * before, and its window has not moved since. Sets `call.rate`.
   */
  refuse(call: GatewayCall): LimitError | undefined
  /** Returns the state of an account without counting; `undefined` for one without a limit. */
  inspect(account: Account): Promise<RateState | undefined>
}

export interface RequestLimitsOptions {
  readonly limiter: RateLimiter
  readonly onStoreFailure: 'refuse' | 'admit'
  readonly now: () => Date
  readonly onAdmitted: (call: GatewayCall, at: Date) => void
  readonly onRefused: (call: GatewayCall, state: RateState) => void
  readonly onFault: (error: unknown) => void
}

/** The most accounts whose last refusal is cached. The oldest one is removed first. */
const MAX_REFUSED = 10_000

interface Refusal {
  readonly at: Date
  readonly state: RateState
}

/** An account with a limit of requests. */
interface LimitedAccount {
  readonly id: AccountId
  readonly rateLimit: number
}

const hasRateLimit = (account: Account | undefined): account is Account & LimitedAccount =>
  account?.rateLimit !== undefined

export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
  const { limiter, onStoreFailure, now, onAdmitted, onRefused, onFault } = options

  const refusals = new Map<AccountId, Refusal>()

  const refused = (call: GatewayCall, id: AccountId, at: Date, state: RateState): LimitError => {
    call.rate = state
    onRefused(call, state)
    return {
      type: 'rate-limited',
      holder: holderOf(id),
      state,
      retryAfterMs: Math.max(1, state.resetAt.getTime() - at.getTime()),
    }
  }

  const decided = (call: GatewayCall, id: AccountId, at: Date, decision: RateDecision): Result<void, LimitError> => {
    refusals.delete(id)
    if (decision.admitted) {
      if (!call.rate || decision.remaining < call.rate.remaining) call.rate = decision
      return ok()
    }
    refusals.set(id, { at, state: decision })
    if (refusals.size > MAX_REFUSED) refusals.delete(refusals.keys().next().value ?? id)
    return err(refused(call, id, at, decision))
  }

  const failed = (error: unknown): Result<void, LimitError> => {
    onFault(error)
    return onStoreFailure === 'refuse' ? err({ type: 'limits-unavailable' }) : ok()
  }

  const admit = (call: GatewayCall, { id, rateLimit }: LimitedAccount): Outcome<void, LimitError> => {
    const at = now()
    const decision = limiter.admit(id, rateLimit, at)
    if ('admitted' in decision) return decided(call, id, at, decision)
    const later = Promise.resolve(decision).then((made) => decided(call, id, at, made), failed)
    return new ResultAsync(later)
  }

  const knownRefusal = (call: GatewayCall, account: Account): LimitError | undefined => {
    const known = refusals.get(account.id)
    if (!known) return undefined
    const at = now()
    // The store decides after the clock went back, the window moved or the limit changed.
    const isCurrent = at >= known.at && at < known.state.resetAt && account.rateLimit === known.state.limit
    return isCurrent ? refused(call, account.id, at, known.state) : undefined
  }

  const firstKnownRefusal = (call: GatewayCall, accounts: readonly Account[]): LimitError | undefined => {
    for (const account of accounts) {
      const refusal = knownRefusal(call, account)
      if (refusal) return refusal
    }
    return undefined
  }

  const admitAll = (call: GatewayCall, accounts: readonly LimitedAccount[]): Outcome<void, LimitError> => {
    let outcome: Outcome<void, LimitError> = ok()
    for (const account of accounts) outcome = andThen(outcome, () => admit(call, account))
    return outcome
  }

  const counted = (call: GatewayCall): Result<void, LimitError> => {
    onAdmitted(call, now())
    return ok()
  }

  return {
    admit: (call) => {
      const account = accountOf(call.caller)
      const groups = groupAccountsOf(call.caller)
      if (groups.length === 0) return hasRateLimit(account) ? andThen(admit(call, account), () => counted(call)) : ok()
      const refusal = firstKnownRefusal(call, groups)
      if (refusal) return err(refusal)
      return andThen(admitAll(call, [account, ...groups].filter(hasRateLimit)), () => counted(call))
    },
    refuse: (call) => {
      const account = accountOf(call.caller)
      return account && (knownRefusal(call, account) ?? firstKnownRefusal(call, groupAccountsOf(call.caller)))
    },
    inspect: async (account) =>
      hasRateLimit(account) ? limiter.inspect(account.id, account.rateLimit, now()) : undefined,
  }
}

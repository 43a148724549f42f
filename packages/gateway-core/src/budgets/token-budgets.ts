import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { type Account, accountOf } from '../accounts/account.ts'
import type { AccountId } from '../accounts/account-id.ts'
import type { TokenBudget } from '../api-keys/api-key.ts'
import type { Caller } from '../caller.ts'
import type { Outcome } from '../outcome.ts'
import type { BudgetRepository, BudgetState, ReservationId } from './budget-repository.ts'

/** Why tokens could not be reserved. */
export type BudgetError =
  | {
      readonly type: 'budget-exceeded'
      readonly window: 'minute' | 'day'
      readonly limit: number
      readonly retryAfterSeconds: number
    }
  /** The limit of a window is less than the tokens that this one request may use, so waiting does not help. */
  | {
      readonly type: 'tokens-exceed-limit'
      readonly window: 'minute' | 'day'
      readonly limit: number
      readonly tokens: number
      /** The field of the request that limits its output. Absent for requests without one. */
      readonly param?: string
    }
  /** The store has failed, and the gateway is configured to refuse then. */
  | { readonly type: 'limits-unavailable' }

/** The tokens reserved for a request, until its real use is known. */
export interface TokenReservation {
  /** Every request calls it when it ends, with 0 if it used no tokens. A second call does nothing. */
  settle(tokens: number): void
}

/** Reserves and settles the tokens of keys and users with a budget. */
export interface TokenBudgets {
  /**
   * Reserves nothing for callers without a budget.
   *
   * @param estimate returns the tokens that the request may use; called only where there is a budget
   * @param lastsMs the time after which a lost reservation no longer counts; a minute is added
   */
  reserve(caller: Caller, estimate: () => number, lastsMs: number): Outcome<TokenReservation, BudgetError>
  /** Returns the used and reserved tokens now. Rejects where the store fails. */
  inspect(account: Account): Promise<BudgetState>
  /** Waits for all running settlements. */
  flush(): Promise<void>
}

export interface TokenBudgetsOptions {
  readonly repository: BudgetRepository
  readonly onStoreFailure: 'refuse' | 'admit'
  readonly now: () => Date
  readonly newId: () => string
  readonly onRefused: (caller: Caller, window: 'minute' | 'day') => void
  readonly onFault: (error: unknown) => void
}

/** Time for a late settlement. */
const GRACE_MS = 60_000

const noReservation: TokenReservation = { settle: () => undefined }

export function createTokenBudgets(options: TokenBudgetsOptions): TokenBudgets {
  const { repository, onStoreFailure, now, newId, onRefused, onFault } = options
  const settling = new Set<Promise<void>>()

  const reservationOf = (accountId: AccountId, id: ReservationId): TokenReservation => {
    let open = true
    return {
      settle(tokens) {
        if (!open) return
        open = false
        const settled = repository
          .settle({ id, accountId }, Math.max(0, Math.ceil(tokens)), now())
          .catch(onFault)
          .finally(() => settling.delete(settled))
        settling.add(settled)
      },
    }
  }

  const reserve = async (
    caller: Caller,
    account: Account,
    tokens: number,
    lastsMs: number,
  ): Promise<Result<TokenReservation, BudgetError>> => {
    const at = now()
    const id = newId() as ReservationId // the only place that creates ids
    const expiresAt = new Date(at.getTime() + lastsMs + GRACE_MS)
    try {
      const decision = await repository.reserve({ id, accountId: account.id, tokens, expiresAt }, account.budget, at)
      if (decision.granted) return ok(reservationOf(account.id, id))
      onRefused(caller, decision.window)
      return err(refusal(decision.window, account.budget, at))
    } catch (error) {
      onFault(error)
      return onStoreFailure === 'refuse' ? err({ type: 'limits-unavailable' }) : ok(noReservation)
    }
  }

  return {
    reserve: (caller, estimate, lastsMs) => {
      const account = accountOf(caller)
      if (!account || !hasLimit(account.budget)) return ok(noReservation)
      const tokens = estimate()
      const excess = excessOf(account.budget, tokens)
      return excess ? err(excess) : new ResultAsync(reserve(caller, account, tokens, lastsMs))
    },
    inspect: ({ id }) => repository.inspect(id, now()),
    async flush() {
      while (settling.size > 0) await Promise.all(settling)
    },
  }
}

const hasLimit = ({ tokensPerMinute, tokensPerDay }: TokenBudget): boolean =>
  tokensPerMinute !== undefined || tokensPerDay !== undefined

function excessOf({ tokensPerMinute, tokensPerDay }: TokenBudget, tokens: number): BudgetError | undefined {
  if (tokensPerMinute !== undefined && tokens > tokensPerMinute) {
    return { type: 'tokens-exceed-limit', window: 'minute', limit: tokensPerMinute, tokens }
  }
  if (tokensPerDay === undefined || tokens <= tokensPerDay) return undefined
  return { type: 'tokens-exceed-limit', window: 'day', limit: tokensPerDay, tokens }
}

const windowSeconds = { minute: 60, day: 86_400 }

function refusal(window: 'minute' | 'day', budget: TokenBudget, at: Date): BudgetError {
  const length = windowSeconds[window]
  const limit = (window === 'day' ? budget.tokensPerDay : budget.tokensPerMinute) ?? 0
  return {
    type: 'budget-exceeded',
    window,
    limit,
    retryAfterSeconds: Math.ceil(length - ((at.getTime() / 1000) % length)),
  }
}

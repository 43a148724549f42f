import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Account } from '../accounts/account.ts'
import type { GatewayCall } from '../caller.ts'
import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { Outcome } from '../outcome.ts'
import { toReceipt } from '../usage/record-receipt.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import { checkBudgetUse } from './budget-account.ts'
import { type BudgetError, type BudgetExceeded, isExceeded } from './budget-error.ts'
import { excessOf, leftOf, type MostUse, refusalOf } from './budget-refusal.ts'
import type { BudgetRepository, BudgetState, ReservationId, ReservationKey } from './budget-repository.ts'
import { LastingHolds } from './lasting-holds.ts'
import { WaitingRequests } from './waiting-requests.ts'

/** How budgets treat requests that would exceed them. */
export interface BudgetsOptions {
  /**
   * The seconds for which a request waits where its key, its team or its user has as many running requests as it may have,
   * from 0, which refuses it, to 600. At most 100 requests of each wait in a process. @default 0
   */
  readonly waitSeconds?: number
}

/** What a request has reserved, until its real use is known. */
export interface BudgetHold {
  /** The money that is reserved. Absent where no account has a limit of money. */
  readonly reserved?: Nanodollars
  /**
   * Every request calls it when it ends, with 0 of both if it used nothing. Only the first call counts. A record is stored
   * as part of the settlement.
   */
  settle(use: MostUse, record?: UsageRecord): void
}

/** A request that may use money, tokens, and a place among those that run. */
export interface BudgetRequest {
  /** Those without a limit are left out. */
  readonly accounts: readonly Account[]
  /**
   * Returns what the request may use at most. Called only where an account has a limit.
   *
   * @param left where money refused it before: what is left. Returns `undefined` where the request cannot use less
   * @param isPriced whether an account has a limit of money. Otherwise the cost is not needed
   */
  readonly most: (left: Nanodollars | undefined, isPriced: boolean) => Result<MostUse, BudgetError> | undefined
  /** The time after which a lost reservation no longer counts, except for money; a minute is added. */
  readonly lastsMs: number
  /** Its signal ends a wait. */
  readonly call: GatewayCall
  /** Returns the record of the request if it is never settled. Called only for limits of money. @default none */
  readonly record?: () => UsageRecord
}

/** Reserves and settles the use of keys, users and teams with a budget. */
export interface Budgets {
  /**
   * Reserves nothing for requests without a limit.
   *
   * @throws RangeError where `most` returns counts that are not whole numbers from 0 on
   */
  reserve(request: BudgetRequest): Outcome<BudgetHold, BudgetError>
  /** Returns what is used and reserved now. Rejects where the store fails. */
  inspect(account: Pick<Account, 'id'>): Promise<BudgetState>
  /** Waits for all running settlements. */
  flush(): Promise<void>
}

export interface BudgetsParts {
  readonly repository: BudgetRepository
  readonly onStoreFailure: 'refuse' | 'admit'
  readonly now: () => Date
  readonly newId: () => string
  /** Stores the record of a request. */
  readonly record: (record: UsageRecord) => void
  readonly onRefused: (request: Pick<BudgetRequest, 'call'>, error: BudgetExceeded) => void
  readonly onFault: (error: unknown) => void
}

/** Methods that only the gateway itself calls. */
export interface BudgetsLifetime {
  /** Removes the receipts of records that are stored now. */
  written(records: readonly UsageRecord[]): Promise<void>
  /** Ends the renewal of reservations. */
  close(): void
}

/** Time for a late settlement. */
const GRACE_MS = 60_000
/** The most attempts to reserve less money. Others may reserve in between. */
const MAX_ATTEMPTS = 4

/** @throws RangeError for a number that is out of its range */
export function createBudgets({ waitSeconds = 0 }: BudgetsOptions, parts: BudgetsParts): Budgets & BudgetsLifetime {
  const { repository, onStoreFailure, now, newId, record: store, onRefused, onFault } = parts
  checkRange({ 'budgets.waitSeconds': waitSeconds }, 0, Math.min(600, MAX_TIMER_SECONDS))
  const running = new Set<Promise<void>>()
  const receipts = new Map<UsageId, ReservationId>()
  const waiting = new WaitingRequests()
  const lasting = new LastingHolds({ repository, now, onFault })

  const noHold: BudgetHold = {
    settle: (_, record) => {
      if (record) store(record)
    },
  }

  const track = (work: Promise<void>) => {
    const tracked = work.catch(onFault).finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const settle = async (key: ReservationKey, use: MostUse, record: UsageRecord | undefined, keepsReceipt: boolean) => {
    const rounded = { tokens: Math.max(0, Math.ceil(use.tokens)), cost: use.cost }
    const receipt = record && keepsReceipt ? { receipt: toReceipt(record) } : {}
    const isSettled = await repository.settle(key, { ...rounded, ...receipt }, now())
    for (const id of key.accounts) waiting.wake(id)
    // The one that settled it has its record.
    if (!record || (keepsReceipt && !isSettled)) return
    if (keepsReceipt) receipts.set(record.id, key.id)
    store(record)
  }

  const holdOf = (
    key: ReservationKey,
    expiresAt: Date,
    keepsReceipt: boolean,
    reserved: Nanodollars | undefined,
  ): BudgetHold => {
    let isOpen = true
    const leave = lasting.add(key, expiresAt)
    return {
      ...(reserved !== undefined && { reserved }),
      settle(use, record) {
        if (!isOpen) return
        isOpen = false
        leave()
        track(settle(key, use, record, keepsReceipt))
      },
    }
  }

  const attempt = async (
    accounts: readonly Account[],
    most: MostUse,
    { lastsMs, record }: BudgetRequest,
  ): Promise<BudgetHold | { readonly account: Account; readonly error: BudgetError; readonly state: BudgetState }> => {
    const at = now()
    const id = newId() as ReservationId // the only place that creates ids
    const expiresAt = new Date(at.getTime() + lastsMs + GRACE_MS)
    const isPriced = accounts.some(({ budget }) => budget.spend)
    const keepsReceipt = record !== undefined && isPriced
    const receipt = keepsReceipt ? { receipt: toReceipt(record()) } : {}
    const reservation = { id, accounts, ...most, expiresAt, ...receipt }
    const decision = await repository.reserve(reservation, at)
    if (decision.granted) {
      const key = { id, accounts: accounts.map((account) => account.id) }
      return holdOf(key, expiresAt, keepsReceipt, isPriced ? most.cost : undefined)
    }
    const account = accounts.find((one) => one.id === decision.account) ?? accounts[0]
    if (!account) throw new TypeError('A reservation has no accounts.')
    const { limit, state } = decision
    return { account, state, error: refusalOf(account, limit, state, { most, at }) }
  }

  const reserve = async (
    accounts: readonly Account[],
    first: MostUse,
    request: BudgetRequest,
  ): Promise<Result<BudgetHold, BudgetError>> => {
    const until = performance.now() + waitSeconds * 1000
    let most = first
    for (let attempts = 1; ; ) {
      const decided = await attempt(accounts, most, request)
      if ('settle' in decided) return ok(decided)
      const { account, error, state } = decided
      if (error.type === 'parallel-exceeded' && (await waiting.wait(account.id, until, request.call.signal))) continue
      if (error.type !== 'spend-exceeded' || attempts === MAX_ATTEMPTS) return err(error)
      const less = request.most(leftOf(account.budget, state), true)
      if (!less) return err(error)
      if (less.isErr()) return err(less.error)
      most = less.value
      attempts += 1
    }
  }

  const failed = (error: unknown): Result<BudgetHold, BudgetError> => {
    onFault(error)
    return onStoreFailure === 'refuse' ? err({ type: 'limits-unavailable' }) : ok(noHold)
  }

  const reported = (request: BudgetRequest, outcome: Result<BudgetHold, BudgetError>) => {
    if (outcome.isErr() && isExceeded(outcome.error)) onRefused(request, outcome.error)
    return outcome
  }

  return {
    reserve(request) {
      const accounts = request.accounts.filter(hasLimit)
      if (accounts.length === 0) return ok(noHold)
      const most = fittingUse(accounts, request)
      if (most.isErr()) return err(most.error)
      const reserved = reserve(accounts, most.value, request)
      return new ResultAsync(reserved.then((outcome) => reported(request, outcome), failed))
    },
    inspect: ({ id }) => repository.inspect(id, now()),
    async flush() {
      while (running.size > 0) await Promise.all(running)
    },
    async written(records) {
      const ids = records.flatMap(({ id }) => receipts.get(id) ?? [])
      if (ids.length === 0) return
      for (const { id } of records) receipts.delete(id)
      await repository.confirm(ids)
    },
    close: () => lasting.close(),
  }
}

/** Returns what a request may use at most, within the whole limits of its accounts where it can use less. */
function fittingUse(accounts: readonly Account[], { most }: BudgetRequest): Result<MostUse, BudgetError> {
  const isPriced = accounts.some(({ budget }) => budget.spend)
  const whole = most(undefined, isPriced)
  if (!whole) throw new TypeError('A request has no most use.')
  if (whole.isErr()) return whole
  checkBudgetUse(whole.value)
  const excess = firstExcess(accounts, whole.value)
  if (!excess) return whole
  const less = excess.type === 'cost-exceeds-limit' ? most(excess.limit, true) : undefined
  if (!less || less.isErr()) return less ?? err(excess)
  checkBudgetUse(less.value)
  const stillExcess = firstExcess(accounts, less.value)
  return stillExcess ? err(stillExcess) : less
}

function firstExcess(accounts: readonly Account[], most: MostUse): BudgetError | undefined {
  for (const account of accounts) {
    const excess = excessOf(account, most)
    if (excess) return excess
  }
  return undefined
}

function hasLimit({ budget }: Account): boolean {
  for (const _ in budget) return true
  return false
}

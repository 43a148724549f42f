import type { AccountId } from '../accounts/account-id.ts'
import {
  type BudgetAccount,
  budgetStateOf,
  checkBudgetUse,
  currentAccount,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  noReservations,
  type ReservedSums,
  refusingLimit,
  reservationCounts,
  settledAccount,
} from '../budgets/budget-account.ts'
import type {
  BudgetRepository,
  BudgetState,
  ExpiredReservation,
  Reservation,
  ReservationId,
} from '../budgets/budget-repository.ts'
import { addDollars } from '../money/dollars.ts'

/** Budgets, exact within one process. */
export function memoryBudgets(): BudgetRepository {
  const accounts = new Map<AccountId, StoredBudget>()
  const reservations = new Map<ReservationId, StoredReservation>()
  const receipts = new Map<ReservationId, StoredReceipt>()

  const budgetOf = (id: AccountId): StoredBudget => {
    const found = accounts.get(id) ?? { reservations: new Map(), account: emptyBudgetAccount }
    accounts.set(id, found)
    return found
  }

  const remove = (id: ReservationId, { accountIds }: StoredReservation) => {
    reservations.delete(id)
    for (const accountId of accountIds) accounts.get(accountId)?.reservations.delete(id)
  }

  const deleteLongExpired = (of: ReadonlyMap<ReservationId, StoredReservation>, now: Date) => {
    for (const [id, stored] of of) {
      const isKept = stored.receipt !== undefined
      if (!isKept && now.getTime() - stored.expiresAt.getTime() > EXPIRED_RESERVATION_MS) remove(id, stored)
    }
  }

  const stateOf = (found: StoredBudget, now: Date): BudgetState =>
    budgetStateOf(found.account, sumsOf(found.reservations, now), now)

  return {
    async reserve({ id, accounts: asked, ...most }, now) {
      checkBudgetUse(most)
      for (const { id: accountId, budget } of asked) {
        const found = budgetOf(accountId)
        deleteLongExpired(found.reservations, now)
        found.account = currentAccount(found.account, now)
        const state = stateOf(found, now)
        const limit = refusingLimit(state, most, budget)
        if (limit) return { granted: false, account: accountId, limit, state }
      }
      const stored = {
        ...most,
        accountIds: asked.map((account) => account.id),
        expiresAt: new Date(most.expiresAt),
        madeAt: new Date(now),
      }
      reservations.set(id, stored)
      for (const accountId of stored.accountIds) budgetOf(accountId).reservations.set(id, stored)
      return { granted: true }
    },

    async settle({ id }, use, now) {
      checkBudgetUse(use)
      const stored = reservations.get(id)
      if (!stored) return false
      remove(id, stored)
      for (const accountId of stored.accountIds) {
        const found = budgetOf(accountId)
        found.account = settledAccount(found.account, use, now)
      }
      if (use.receipt !== undefined) receipts.set(id, { receipt: use.receipt, settledAt: new Date(now) })
      return true
    },

    async renew(renewed, expiresAt) {
      for (const { id } of renewed) {
        const stored = reservations.get(id)
        if (stored) stored.expiresAt = new Date(expiresAt)
      }
    },

    async confirm(ids) {
      for (const id of ids) receipts.delete(id)
    },

    async unfinished(before, limit) {
      const expired = [...reservations].flatMap(([id, { accountIds, tokens, cost, expiresAt, receipt }]) =>
        receipt !== undefined && expiresAt < before
          ? [{ reservation: { id, accounts: accountIds, tokens, cost, receipt }, at: expiresAt }]
          : [],
      )
      const kept = [...receipts].flatMap(([id, { receipt, settledAt }]) =>
        settledAt < before ? [{ receipt: { id, receipt }, at: settledAt }] : [],
      )
      return {
        reservations: expired
          .sort(byTime)
          .slice(0, limit)
          .map(({ reservation }): ExpiredReservation => reservation),
        receipts: kept
          .sort(byTime)
          .slice(0, limit)
          .map(({ receipt }) => receipt),
      }
    },

    async inspect(accountId, now) {
      const found = accounts.get(accountId)
      return found ? stateOf(found, now) : budgetStateOf(emptyBudgetAccount, noReservations, now)
    },
  }
}

interface StoredReservation extends Pick<Reservation, 'tokens' | 'cost' | 'receipt'> {
  readonly accountIds: readonly AccountId[]
  readonly madeAt: Date
  expiresAt: Date
}

interface StoredReceipt {
  readonly receipt: string
  readonly settledAt: Date
}

interface StoredBudget {
  readonly reservations: Map<ReservationId, StoredReservation>
  account: BudgetAccount
}

function sumsOf(reservations: ReadonlyMap<ReservationId, StoredReservation>, now: Date): ReservedSums {
  let { tokens, cost, running } = noReservations
  for (const stored of reservations.values()) {
    cost = addDollars(cost, stored.cost)
    if (!reservationCounts(stored, now)) continue
    tokens += stored.tokens
    running += 1
  }
  return { tokens, cost, running }
}

const byTime = (one: { readonly at: Date }, other: { readonly at: Date }): number =>
  one.at.getTime() - other.at.getTime()

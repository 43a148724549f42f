import type { AccountId } from '../accounts/account-id.ts'
import {
  type BudgetAccount,
  budgetStateOf,
  currentAccount,
  decideReservation,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  reservationCounts,
  settledAccount,
} from '../budgets/budget-account.ts'
import type { BudgetRepository, Reservation, ReservationId } from '../budgets/budget-repository.ts'

/** Token budgets, exact within one process. */
export function memoryBudgets(): BudgetRepository {
  const accounts = new Map<AccountId, StoredBudget>()

  const budgetOf = (accountId: AccountId): StoredBudget => {
    const found = accounts.get(accountId) ?? { reservations: new Map(), account: emptyBudgetAccount }
    accounts.set(accountId, found)
    return found
  }

  return {
    async reserve(reservation, budget, now) {
      const found = budgetOf(reservation.accountId)
      const { reservations } = found
      deleteLongExpired(reservations, now)
      found.account = currentAccount(found.account, now)
      const state = budgetStateOf(found.account, reservedIn(reservations, now), now)
      const decision = decideReservation(state, reservation.tokens, budget)
      if (decision.granted) {
        const { tokens, expiresAt } = reservation
        reservations.set(reservation.id, { tokens, expiresAt: new Date(expiresAt), madeAt: new Date(now) })
      }
      return decision
    },

    async settle({ id, accountId }, tokens, now) {
      const found = accounts.get(accountId)
      if (found?.reservations.delete(id)) found.account = settledAccount(found.account, tokens, now)
    },

    async inspect(accountId, now) {
      const { account, reservations } = accounts.get(accountId) ?? {
        account: emptyBudgetAccount,
        reservations: new Map(),
      }
      return budgetStateOf(account, reservedIn(reservations, now), now)
    },
  }
}

interface StoredReservation extends Pick<Reservation, 'tokens' | 'expiresAt'> {
  readonly madeAt: Date
}

interface StoredBudget {
  readonly reservations: Map<ReservationId, StoredReservation>
  account: BudgetAccount
}

function reservedIn(reservations: ReadonlyMap<ReservationId, StoredReservation>, now: Date): number {
  let reserved = 0
  for (const stored of reservations.values()) if (reservationCounts(stored, now)) reserved += stored.tokens
  return reserved
}

function deleteLongExpired(reservations: Map<ReservationId, StoredReservation>, now: Date): void {
  for (const [id, { expiresAt }] of reservations) {
    if (now.getTime() - expiresAt.getTime() > EXPIRED_RESERVATION_MS) reservations.delete(id)
  }
}

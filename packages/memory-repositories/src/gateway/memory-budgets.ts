import type { ApiKeyId } from '@trivium/gateway-core'
import {
  type BudgetAccount,
  type BudgetRepository,
  budgetStateOf,
  currentAccount,
  decideReservation,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  type Reservation,
  type ReservationId,
  reservationCounts,
  settledAccount,
} from '@trivium/gateway-core/ports'

/** Token budgets, exact within one process. */
export function memoryBudgets(): BudgetRepository {
  const keys = new Map<ApiKeyId, KeyBudget>()

  const budgetOf = (keyId: ApiKeyId): KeyBudget => {
    const found = keys.get(keyId) ?? { reservations: new Map(), account: emptyBudgetAccount }
    keys.set(keyId, found)
    return found
  }

  return {
    async reserve(reservation, budget, now) {
      const found = budgetOf(reservation.keyId)
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

    async settle({ id, keyId }, tokens, now) {
      const found = keys.get(keyId)
      if (found?.reservations.delete(id)) found.account = settledAccount(found.account, tokens, now)
    },

    async inspect(keyId, now) {
      const { account, reservations } = keys.get(keyId) ?? { account: emptyBudgetAccount, reservations: new Map() }
      return budgetStateOf(account, reservedIn(reservations, now), now)
    },
  }
}

interface StoredReservation extends Pick<Reservation, 'tokens' | 'expiresAt'> {
  readonly madeAt: Date
}

interface KeyBudget {
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

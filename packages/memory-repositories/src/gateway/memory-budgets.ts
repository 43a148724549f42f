import type { ApiKeyId } from '@trivium/gateway-core'
import {
  type BudgetAccount,
  type BudgetRepository,
  budgetStateOf,
  decideReservation,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  type Reservation,
  type ReservationId,
  settledAccount,
} from '@trivium/gateway-core/ports'

/** Exact within one process. */
export function memoryBudgets(): BudgetRepository {
  const keys = new Map<ApiKeyId, KeyBudget>()

  const budgetOf = (keyId: ApiKeyId): KeyBudget => {
    const found = keys.get(keyId) ?? { reservations: new Map(), account: emptyBudgetAccount }
    keys.set(keyId, found)
    return found
  }

  return {
    async reserve(reservation, budget, now) {
      const { account, reservations } = budgetOf(reservation.keyId)
      forgetLongExpired(reservations, now)
      const state = budgetStateOf(account, reservedIn(reservations, now), now)
      const decision = decideReservation(state, reservation.tokens, budget)
      if (decision.granted) {
        reservations.set(reservation.id, { ...reservation, expiresAt: new Date(reservation.expiresAt) })
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

interface KeyBudget {
  readonly reservations: Map<ReservationId, Reservation>
  account: BudgetAccount
}

function reservedIn(reservations: ReadonlyMap<ReservationId, Reservation>, now: Date): number {
  let reserved = 0
  for (const { tokens, expiresAt } of reservations.values()) if (expiresAt > now) reserved += tokens
  return reserved
}

function forgetLongExpired(reservations: Map<ReservationId, Reservation>, now: Date): void {
  for (const [id, { expiresAt }] of reservations) {
    if (now.getTime() - expiresAt.getTime() > EXPIRED_RESERVATION_MS) reservations.delete(id)
  }
}

import {
  type AccountId,
  type BudgetAccount,
  type BudgetDecision,
  type BudgetUse,
  budgetStateOf,
  currentAccount,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  hasNewShift,
  type Reservation,
  type ReservationKey,
  refusingLimit,
  reservationCounts,
  settledAccount,
} from '@trivium/gateway-core/ports'
import type { HoldRow, ReceiptRow } from './gateway-tables.ts'
import { type HeldSums, noSums } from './held-sums.ts'

/** What the database has of the accounts of some reservations and settlements. */
export interface StoredBudgets {
  readonly accounts: ReadonlyMap<AccountId, BudgetAccount>
  /** The sums of the reservations of accounts, by the time in milliseconds at which they count. */
  readonly sums: ReadonlyMap<number, ReadonlyMap<AccountId, HeldSums>>
  /** The reservations to settle. Absent ones are settled already. */
  readonly holds: readonly HoldRow[]
}

/** Decides reservations and settlements one after the other, and collects what they change. */
export class BudgetGroup {
  readonly #accounts: Map<AccountId, BudgetAccount>
  readonly #sums: ReadonlyMap<number, Map<AccountId, HeldSums>>
  readonly #holds = new Map<string, readonly HoldRow[]>()
  readonly #stored: ReadonlySet<string>
  readonly #changed = new Set<AccountId>()
  /** The reservations to remove. */
  readonly settled = new Set<string>()
  readonly receipts: ReceiptRow[] = []
  /** Accounts with reservations that have expired long ago, and the time at which that was noticed. */
  readonly longExpired = new Map<AccountId, Date>()

  constructor({ accounts, sums, holds }: StoredBudgets) {
    this.#accounts = new Map(accounts)
    this.#sums = new Map([...sums].map(([time, ofAccounts]) => [time, new Map(ofAccounts)]))
    for (const hold of holds) this.#holds.set(hold.id, [...(this.#holds.get(hold.id) ?? []), hold])
    this.#stored = new Set(this.#holds.keys())
  }

  /** The accounts to store. */
  get changed(): readonly (readonly [id: AccountId, account: BudgetAccount])[] {
    return [...this.#changed].map((id) => [id, this.#account(id)])
  }

  /** The reservations to add. */
  get added(): readonly HoldRow[] {
    return [...this.#holds.values()].flat().filter(({ id }) => !this.#stored.has(id))
  }

  reserve(reservation: Reservation, now: Date): BudgetDecision {
    const sums = this.#sums.get(now.getTime())
    for (const { id, budget } of reservation.accounts) {
      const account = this.#account(id)
      const reserved = sums?.get(id) ?? noSums
      if (now.getTime() - reserved.oldest > EXPIRED_RESERVATION_MS) this.longExpired.set(id, now)
      const current = currentAccount(account, now)
      if (hasNewShift(account, current)) this.#change(id, current)
      const state = budgetStateOf(current, reserved, now)
      const limit = refusingLimit(state, reservation, budget)
      if (limit) return { granted: false, account: id, limit, state }
    }
    const holds = holdsOf(reservation, now)
    this.#holds.set(reservation.id, holds)
    this.#count(holds, 1)
    return { granted: true }
  }

  /** @returns whether this call has settled it */
  settle({ id, accounts }: ReservationKey, use: BudgetUse, now: Date): boolean {
    const holds = this.#holds.get(id)
    if (!holds) return false
    this.#holds.delete(id)
    if (this.#stored.has(id)) this.settled.add(id)
    this.#count(holds, -1)
    if (use.tokens > 0 || use.cost > 0) {
      for (const account of accounts) this.#change(account, settledAccount(this.#account(account), use, now))
    }
    if (use.receipt !== undefined) this.receipts.push({ id, settled_at: now.getTime(), receipt: use.receipt })
    return true
  }

  #account(id: AccountId): BudgetAccount {
    return this.#accounts.get(id) ?? emptyBudgetAccount
  }

  #change(id: AccountId, account: BudgetAccount): void {
    this.#accounts.set(id, account)
    this.#changed.add(id)
  }

  /** Adds reservations to the sums of each time at which they count, or takes them away. */
  #count(holds: readonly HoldRow[], sign: 1 | -1): void {
    for (const [time, sums] of this.#sums) {
      for (const hold of holds) {
        const id = hold.key_id as AccountId // stored as the gateway created it
        const before = sums.get(id) ?? noSums
        const times = { madeAt: new Date(hold.made_at), expiresAt: new Date(hold.expires_at) }
        const counts = reservationCounts(times, new Date(time)) ? sign : 0
        sums.set(id, {
          tokens: before.tokens + counts * hold.tokens,
          running: before.running + counts,
          cost: (before.cost + sign * hold.cost) as HeldSums['cost'], // a whole number
          oldest: sign === 1 ? Math.min(before.oldest, hold.expires_at) : before.oldest,
        })
      }
    }
  }
}

/** Only the first row has the receipt. */
function holdsOf({ id, accounts, tokens, cost, expiresAt, receipt }: Reservation, now: Date): readonly HoldRow[] {
  return accounts.map((account, index) => ({
    id,
    key_id: account.id,
    tokens,
    cost,
    expires_at: expiresAt.getTime(),
    made_at: now.getTime(),
    receipt: index === 0 && receipt !== undefined ? receipt : null,
    has_receipt: index === 0 && receipt !== undefined ? 1 : 0,
  }))
}

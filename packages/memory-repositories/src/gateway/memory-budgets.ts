import type { ApiKeyId } from '@trivium/gateway-core'
import type { BudgetRepository, BudgetState, Reservation, ReservationId } from '@trivium/gateway-core/ports'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Exact within one process. */
export function memoryBudgets(): BudgetRepository {
  const accounts = new Map<ApiKeyId, Account>()

  const accountOf = (keyId: ApiKeyId): Account => {
    const account = accounts.get(keyId) ?? { reservations: new Map(), minute: NO_COUNT, day: NO_COUNT }
    accounts.set(keyId, account)
    return account
  }

  return {
    async reserve(reservation, { tokensPerMinute = Infinity, tokensPerDay = Infinity }, now) {
      const account = accountOf(reservation.keyId)
      forgetLongExpired(account, now)
      const state = stateOf(account, now)
      const wanted = state.reserved + reservation.tokens
      if (refuses(state.day, wanted, tokensPerDay)) return { granted: false, window: 'day', state }
      if (refuses(state.minute, wanted, tokensPerMinute)) return { granted: false, window: 'minute', state }
      account.reservations.set(reservation.id, { ...reservation, expiresAt: new Date(reservation.expiresAt) })
      return { granted: true }
    },

    async settle({ id, keyId }, tokens, now) {
      const account = accounts.get(keyId)
      if (!account?.reservations.delete(id)) return
      account.minute = added(account.minute, windowOf(now, MINUTE_MS), tokens)
      account.day = added(account.day, windowOf(now, DAY_MS), tokens)
    },

    async inspect(keyId, now) {
      const account = accounts.get(keyId)
      return account ? stateOf(account, now) : { minute: 0, day: 0, reserved: 0 }
    },
  }
}

interface Account {
  readonly reservations: Map<ReservationId, Reservation>
  minute: WindowCount
  day: WindowCount
}

/** What was settled in one window, by the window's number since 1970. */
interface WindowCount {
  readonly window: number
  readonly tokens: number
}

const NO_COUNT: WindowCount = { window: -1, tokens: 0 }

const windowOf = (now: Date, length: number) => Math.floor(now.getTime() / length)

/** A limit that is used up refuses also what costs nothing. */
const refuses = (settled: number, wanted: number, limit: number) => settled + wanted > limit

/** A clock that is behind adds to the window that was settled last. */
function added(count: WindowCount, window: number, tokens: number): WindowCount {
  return count.window < window ? { window, tokens } : { ...count, tokens: count.tokens + tokens }
}

const settledIn = ({ window, tokens }: WindowCount, now: number): number => (window < now ? 0 : tokens)

function stateOf(account: Account, now: Date): BudgetState {
  let reserved = 0
  for (const { tokens, expiresAt } of account.reservations.values()) if (expiresAt > now) reserved += tokens
  return {
    minute: settledIn(account.minute, windowOf(now, MINUTE_MS)),
    day: settledIn(account.day, windowOf(now, DAY_MS)),
    reserved,
  }
}

function forgetLongExpired({ reservations }: Account, now: Date): void {
  for (const [id, { expiresAt }] of reservations) {
    if (now.getTime() - expiresAt.getTime() > DAY_MS) reservations.delete(id)
  }
}

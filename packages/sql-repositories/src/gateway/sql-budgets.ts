import {
  type AccountId,
  type BudgetAccount,
  type BudgetRepository,
  budgetStateOf,
  currentAccount,
  decideReservation,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  latestPlausibleTime,
  settledAccount,
} from '@trivium/gateway-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { BudgetRow, GatewayTables } from './gateway-tables.ts'

/** Token budgets, exact across all processes that use the database: a reservation or settlement locks the key's row. */
export function sqlBudgets(database: Database): BudgetRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  /** Runs `work` while no other reservation or settlement of the key can happen. */
  const withLockedAccount = async <T>(
    accountId: AccountId,
    work: (transaction: Transaction<GatewayTables>, account: BudgetAccount) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const result = await transact({ kysely, dialect }, async (transaction) => {
        const account = await dialect.forUpdate(accountOf(transaction, accountId)).executeTakeFirst()
        return account && { value: await work(transaction, account) }
      })
      if (result !== undefined) return result.value
      await dialect.insertIfAbsent(
        kysely.insertInto('gateway_budgets').values({ key_id: accountId, ...toRow(emptyBudgetAccount) }),
      )
    }
  }

  return {
    reserve: (reservation, budget, now) =>
      withLockedAccount(reservation.accountId, async (transaction, account) => {
        const { reserved, oldest } = await reservationsOf(transaction, reservation.accountId, now)
        if (oldest !== null && now.getTime() - oldest > EXPIRED_RESERVATION_MS) {
          await deleteLongExpired(transaction, reservation.accountId, now)
        }
        const current = currentAccount(account, now)
        if (current.minuteShift !== account.minuteShift || current.dayShift !== account.dayShift) {
          await storeAccount(transaction, reservation.accountId, current)
        }
        const decision = decideReservation(budgetStateOf(account, reserved, now), reservation.tokens, budget)
        if (!decision.granted) return decision
        await transaction
          .insertInto('gateway_reservations')
          .values({
            id: reservation.id,
            key_id: reservation.accountId,
            tokens: reservation.tokens,
            expires_at: reservation.expiresAt.getTime(),
            made_at: now.getTime(),
          })
          .execute()
        return decision
      }),

    settle: ({ id, accountId }, tokens, now) =>
      withLockedAccount(accountId, async (transaction, account) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('gateway_reservations')
          .where('id', '=', id)
          .where('key_id', '=', accountId)
          .executeTakeFirst()
        if (numDeletedRows === 0n || tokens === 0) return
        await storeAccount(transaction, accountId, settledAccount(account, tokens, now))
      }),

    inspect: async (accountId, now) => {
      const account = await accountOf(kysely, accountId).executeTakeFirst()
      const { reserved } = await reservationsOf(kysely, accountId, now)
      return budgetStateOf(account ?? emptyBudgetAccount, reserved, now)
    },
  }
}

const accountOf = (executor: Kysely<GatewayTables>, accountId: AccountId) =>
  executor
    .selectFrom('gateway_budgets')
    .select([
      'minute_window as minuteWindow',
      'minute_tokens as minuteTokens',
      'day_window as dayWindow',
      'day_tokens as dayTokens',
      'minute_shift as minuteShift',
      'day_shift as dayShift',
    ])
    .where('key_id', '=', accountId)

async function storeAccount(
  executor: Kysely<GatewayTables>,
  accountId: AccountId,
  account: BudgetAccount,
): Promise<void> {
  await executor.updateTable('gateway_budgets').set(toRow(account)).where('key_id', '=', accountId).execute()
}

const toRow = (account: BudgetAccount): Omit<BudgetRow, 'key_id'> => ({
  minute_window: account.minuteWindow,
  minute_tokens: account.minuteTokens,
  day_window: account.dayWindow,
  day_tokens: account.dayTokens,
  minute_shift: account.minuteShift,
  day_shift: account.dayShift,
})

async function reservationsOf(executor: Kysely<GatewayTables>, accountId: AccountId, now: Date) {
  const totals = await executor
    .selectFrom('gateway_reservations')
    .select((is) => [
      sql<number | string | null>`
        sum(case when expires_at > ${now.getTime()} and made_at <= ${latestPlausibleTime(now).getTime()} then tokens else 0 end)
      `.as('reserved'),
      is.fn.min('expires_at').as('oldest'),
    ])
    .where('key_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { reserved: Number(totals.reserved), oldest: totals.oldest as number | null }
}

async function deleteLongExpired(executor: Kysely<GatewayTables>, accountId: AccountId, now: Date): Promise<void> {
  await executor
    .deleteFrom('gateway_reservations')
    .where('key_id', '=', accountId)
    .where('expires_at', '<', now.getTime() - EXPIRED_RESERVATION_MS)
    .execute()
}

import type { ApiKeyId } from '@trivium/gateway-core'
import type { BudgetRepository, BudgetState } from '@trivium/gateway-core/ports'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { BudgetRow, GatewayTables } from './gateway-tables.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Exact over all processes that use the database: whoever reserves or settles holds the key's row meanwhile. */
export function sqlBudgets(database: Database): BudgetRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  /** Runs `work` while no other reservation or settlement of the key can happen. */
  const exclusively = async <T>(
    keyId: ApiKeyId,
    work: (transaction: Transaction<GatewayTables>, account: BudgetRow) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const result = await transact({ kysely, dialect }, async (transaction) => {
        const account = await dialect.forUpdate(accountOf(transaction, keyId)).executeTakeFirst()
        return account && { value: await work(transaction, account) }
      })
      if (result !== undefined) return result.value
      await dialect.insertIfAbsent(kysely.insertInto('gateway_budgets').values(emptyAccount(keyId)))
    }
  }

  return {
    reserve: (reservation, { tokensPerMinute = Infinity, tokensPerDay = Infinity }, now) =>
      exclusively(reservation.keyId, async (transaction, account) => {
        const { reserved, oldest } = await reservationsOf(transaction, reservation.keyId, now)
        if (oldest !== null && now.getTime() - oldest > DAY_MS) {
          await forgetLongExpired(transaction, reservation.keyId, now)
        }
        const state = stateOf(account, reserved, now)
        const wanted = reserved + reservation.tokens
        if (state.day + wanted > tokensPerDay) return { granted: false, window: 'day', state }
        if (state.minute + wanted > tokensPerMinute) return { granted: false, window: 'minute', state }
        await transaction
          .insertInto('gateway_reservations')
          .values({
            id: reservation.id,
            key_id: reservation.keyId,
            tokens: reservation.tokens,
            expires_at: reservation.expiresAt.getTime(),
          })
          .execute()
        return { granted: true }
      }),

    settle: ({ id, keyId }, tokens, now) =>
      exclusively(keyId, async (transaction, account) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('gateway_reservations')
          .where('id', '=', id)
          .where('key_id', '=', keyId)
          .executeTakeFirst()
        if (numDeletedRows === 0n || tokens === 0) return
        await transaction
          .updateTable('gateway_budgets')
          .set(added(account, tokens, now))
          .where('key_id', '=', keyId)
          .execute()
      }),

    inspect: async (keyId, now) => {
      const account = await accountOf(kysely, keyId).executeTakeFirst()
      const { reserved } = await reservationsOf(kysely, keyId, now)
      return stateOf(account ?? emptyAccount(keyId), reserved, now)
    },
  }
}

const accountOf = (executor: Kysely<GatewayTables>, keyId: ApiKeyId) =>
  executor.selectFrom('gateway_budgets').selectAll().where('key_id', '=', keyId)

async function reservationsOf(executor: Kysely<GatewayTables>, keyId: ApiKeyId, now: Date) {
  const totals = await executor
    .selectFrom('gateway_reservations')
    .select((is) => [
      sql<number | string | null>`sum(case when expires_at > ${now.getTime()} then tokens else 0 end)`.as('reserved'),
      is.fn.min('expires_at').as('oldest'),
    ])
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  return { reserved: Number(totals.reserved), oldest: totals.oldest as number | null }
}

async function forgetLongExpired(executor: Kysely<GatewayTables>, keyId: ApiKeyId, now: Date): Promise<void> {
  await executor
    .deleteFrom('gateway_reservations')
    .where('key_id', '=', keyId)
    .where('expires_at', '<', now.getTime() - DAY_MS)
    .execute()
}

const windowOf = (now: Date, length: number) => Math.floor(now.getTime() / length)

function stateOf(account: BudgetRow, reserved: number, now: Date): BudgetState {
  return {
    minute: account.minute_window < windowOf(now, MINUTE_MS) ? 0 : account.minute_tokens,
    day: account.day_window < windowOf(now, DAY_MS) ? 0 : account.day_tokens,
    reserved,
  }
}

/** A clock that is behind adds to the window that was settled last. */
function added(account: BudgetRow, tokens: number, now: Date): Omit<BudgetRow, 'key_id'> {
  const minute = Math.max(account.minute_window, windowOf(now, MINUTE_MS))
  const day = Math.max(account.day_window, windowOf(now, DAY_MS))
  return {
    minute_window: minute,
    minute_tokens: tokens + (minute === account.minute_window ? account.minute_tokens : 0),
    day_window: day,
    day_tokens: tokens + (day === account.day_window ? account.day_tokens : 0),
  }
}

function emptyAccount(keyId: ApiKeyId): BudgetRow {
  return { key_id: keyId, minute_window: -1, minute_tokens: 0, day_window: -1, day_tokens: 0 }
}

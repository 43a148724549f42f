import {
  type AccountId,
  type BudgetAccount,
  type BudgetDecision,
  type BudgetRepository,
  budgetStateOf,
  checkBudgetUse,
  currentAccount,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  hasNewShift,
  type Reservation,
  type ReservationId,
  refusingLimit,
  settledAccount,
} from '@trivium/gateway-core/ports'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { fromRow, toRow } from './budget-row.ts'
import type { BudgetRow, GatewayTables, HoldRow } from './gateway-tables.ts'
import { heldSums, noSums } from './held-sums.ts'

/** The most ids in one statement. */
const IDS_PER_STATEMENT = 200

type Accounts = ReadonlyMap<AccountId, BudgetAccount>

/**
 * Budgets, exact across all processes that use the database: a reservation or settlement locks the rows of its accounts,
 * in the order of their ids.
 */
export function sqlBudgets(database: Database): BudgetRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  /** Runs `work` while no other reservation or settlement of the accounts can happen. */
  const withLocked = async <T>(
    ids: readonly AccountId[],
    work: (transaction: Transaction<GatewayTables>, accounts: Accounts) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const result = await transact({ kysely, dialect }, async (transaction) => {
        const accounts = byId(await dialect.forUpdate(accountsOf(transaction, ids).orderBy('key_id')).execute())
        return accounts.size === ids.length ? { value: await work(transaction, accounts) } : undefined
      })
      if (result !== undefined) return result.value
      for (const id of ids) {
        await dialect.insertIfAbsent(
          kysely.insertInto('gateway_budgets').values({ key_id: id, ...toRow(emptyBudgetAccount) }),
        )
      }
    }
  }

  const reserve = async (
    transaction: Transaction<GatewayTables>,
    accounts: Accounts,
    reservation: Reservation,
    now: Date,
  ): Promise<BudgetDecision> => {
    const ids = reservation.accounts.map(({ id }) => id)
    const sums = await heldSums(transaction, ids, now)
    for (const { id, budget } of reservation.accounts) {
      const account = accounts.get(id) ?? emptyBudgetAccount
      const reserved = sums.get(id) ?? noSums
      if (now.getTime() - reserved.oldest > EXPIRED_RESERVATION_MS) await deleteLongExpired(transaction, id, now)
      const current = currentAccount(account, now)
      if (hasNewShift(account, current)) await storeAccount(transaction, id, current)
      const state = budgetStateOf(current, reserved, now)
      const limit = refusingLimit(state, reservation, budget)
      if (limit) return { granted: false, account: id, limit, state }
    }
    await transaction.insertInto('gateway_holds').values(holdsOf(reservation, now)).execute()
    return { granted: true }
  }

  return {
    async reserve(reservation, now) {
      checkBudgetUse(reservation)
      return withLocked(
        reservation.accounts.map(({ id }) => id),
        (transaction, accounts) => reserve(transaction, accounts, reservation, now),
      )
    },

    async settle({ id, accounts: ids }, use, now) {
      checkBudgetUse(use)
      return withLocked(ids, async (transaction, accounts) => {
        const { numDeletedRows } = await transaction.deleteFrom('gateway_holds').where('id', '=', id).executeTakeFirst()
        if (numDeletedRows === 0n) return false
        if (use.tokens > 0 || use.cost > 0) {
          for (const [accountId, account] of accounts) {
            await storeAccount(transaction, accountId, settledAccount(account, use, now))
          }
        }
        if (use.receipt !== undefined) {
          const receipt = { id, settled_at: now.getTime(), receipt: use.receipt }
          await transaction.insertInto('gateway_receipts').values(receipt).execute()
        }
        return true
      })
    },

    renew: (reservations, expiresAt) =>
      inParts(reservations, async (part) => {
        await kysely
          .updateTable('gateway_holds')
          .set({ expires_at: expiresAt.getTime() })
          .where(
            'id',
            'in',
            part.map(({ id }) => id),
          )
          .execute()
      }),

    confirm: (ids) =>
      inParts(ids, async (part) => {
        await kysely
          .deleteFrom('gateway_receipts')
          .where('id', 'in', [...part])
          .execute()
      }),

    unfinished: async (before, limit) => {
      const lost = await kysely
        .selectFrom('gateway_holds')
        .select(['id', 'tokens', 'cost', 'receipt'])
        .where('has_receipt', '=', 1)
        .where('expires_at', '<', before.getTime())
        .orderBy('expires_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      const accounts = await accountsByHold(
        kysely,
        lost.map(({ id }) => id),
      )
      const receipts = await kysely
        .selectFrom('gateway_receipts')
        .select(['id', 'receipt'])
        .where('settled_at', '<', before.getTime())
        .orderBy('settled_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return {
        // Ids, amounts and receipts are stored as the gateway created them.
        reservations: lost.map(({ id, tokens, cost, receipt }) => ({
          id: id as ReservationId,
          accounts: accounts.get(id) ?? [],
          tokens,
          cost: cost as Reservation['cost'],
          receipt: receipt ?? '',
        })),
        receipts: receipts.map(({ id, receipt }) => ({ id: id as ReservationId, receipt })),
      }
    },

    inspect: async (accountId, now) => {
      const row = await accountsOf(kysely, [accountId]).executeTakeFirst()
      const reserved = (await heldSums(kysely, [accountId], now)).get(accountId) ?? noSums
      return budgetStateOf(row ? fromRow(row) : emptyBudgetAccount, reserved, now)
    },
  }
}

const accountsOf = (executor: Kysely<GatewayTables>, ids: readonly AccountId[]) =>
  executor
    .selectFrom('gateway_budgets')
    .selectAll()
    .where('key_id', 'in', [...ids])

const byId = (rows: readonly BudgetRow[]): Accounts =>
  new Map(rows.map((row) => [row.key_id as AccountId, fromRow(row)])) // stored as the gateway created them

async function storeAccount(executor: Kysely<GatewayTables>, id: AccountId, account: BudgetAccount): Promise<void> {
  await executor.updateTable('gateway_budgets').set(toRow(account)).where('key_id', '=', id).execute()
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

/** Those with a receipt may have spent money. */
async function deleteLongExpired(executor: Kysely<GatewayTables>, accountId: AccountId, now: Date): Promise<void> {
  const kept = executor
    .selectFrom('gateway_holds as with_receipt')
    .select('with_receipt.id')
    .where('has_receipt', '=', 1)
  const expired = await executor
    .selectFrom('gateway_holds')
    .select('id')
    .where('key_id', '=', accountId)
    .where('expires_at', '<', now.getTime() - EXPIRED_RESERVATION_MS)
    .where('id', 'not in', kept)
    .limit(IDS_PER_STATEMENT)
    .execute()
  if (expired.length === 0) return
  await executor
    .deleteFrom('gateway_holds')
    .where(
      'id',
      'in',
      expired.map(({ id }) => id),
    )
    .execute()
}

async function accountsByHold(
  executor: Kysely<GatewayTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly AccountId[]>> {
  const accounts = new Map<string, AccountId[]>()
  await inParts(ids, async (part) => {
    const rows = await executor
      .selectFrom('gateway_holds')
      .select(['id', 'key_id'])
      .where('id', 'in', [...part])
      .execute()
    for (const { id, key_id } of rows) accounts.set(id, [...(accounts.get(id) ?? []), key_id as AccountId])
  })
  return accounts
}

async function inParts<Item>(items: readonly Item[], work: (part: readonly Item[]) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += IDS_PER_STATEMENT) {
    await work(items.slice(first, first + IDS_PER_STATEMENT))
  }
}

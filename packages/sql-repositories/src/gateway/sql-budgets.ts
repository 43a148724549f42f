import {
  type AccountId,
  type BudgetAccount,
  type BudgetDecision,
  type BudgetRepository,
  type BudgetUse,
  budgetStateOf,
  callGroups,
  checkBudgetUse,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  type Reservation,
  type ReservationId,
  type ReservationKey,
} from '@trivium/gateway-core/ports'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { transact } from '../transact.ts'
import { BudgetGroup } from './budget-group.ts'
import { fromRow, toRow } from './budget-row.ts'
import type { BudgetRow, GatewayTables, HoldRow } from './gateway-tables.ts'
import { type HeldSums, heldSums, noSums } from './held-sums.ts'

/** The most ids in one statement. */
const IDS_PER_STATEMENT = 200

const CALLS_PER_GROUP = 200

type Accounts = ReadonlyMap<AccountId, BudgetAccount>

/** A decision, or whether a call has settled a reservation. */
type BudgetResult = BudgetDecision | boolean

type BudgetCall =
  | { readonly kind: 'reserve'; readonly reservation: Reservation; readonly now: Date }
  | { readonly kind: 'settle'; readonly key: ReservationKey; readonly use: BudgetUse; readonly now: Date }

/**
 * Budgets, exact across all processes that use the database. The reservations and settlements of one turn of the event loop,
 * and those that arrive while a transaction runs, are one transaction. It locks the rows of their accounts in the order of
 * their ids.
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

  const decide = async (transaction: Transaction<GatewayTables>, accounts: Accounts, calls: readonly BudgetCall[]) => {
    const sums = await sumsFor(transaction, calls)
    const group = new BudgetGroup({ accounts, sums, holds: await holdsFor(transaction, calls) })
    const results = calls.map((call) =>
      call.kind === 'reserve' ? group.reserve(call.reservation, call.now) : group.settle(call.key, call.use, call.now),
    )
    await storeGroup(transaction, dialect, group)
    return results
  }

  const decideLocked = (calls: readonly BudgetCall[]): Promise<readonly BudgetResult[]> =>
    withLocked([...new Set(calls.flatMap(accountIdsOf))], (transaction, accounts) =>
      decide(transaction, accounts, calls),
    )

  /** Decides calls whose accounts no other process has locked. @returns results by call; others wait for their accounts */
  const decideFree = (calls: readonly BudgetCall[]): Promise<ReadonlyMap<BudgetCall, BudgetResult>> =>
    transact({ kysely, dialect }, async (transaction) => {
      const ids = [...new Set(calls.flatMap(accountIdsOf))]
      const accounts = byId(await dialect.lockFree(accountsOf(transaction, ids).orderBy('key_id')).execute())
      const free = calls.filter((call) => accountIdsOf(call).every((id) => accounts.has(id)))
      if (free.length === 0) return new Map()
      const results = await decide(transaction, accounts, free)
      return new Map(free.flatMap((call, index) => pairOf(call, results[index])))
    })

  const decideLater = async (
    calls: readonly BudgetCall[],
  ): Promise<readonly (BudgetResult | Promise<BudgetResult>)[]> => {
    try {
      return await decideLocked(calls)
    } catch (error) {
      if (calls.length === 1 || !dialect.isContention(error)) throw error
      // Another process holds one account for long. The others do not wait for it.
      return calls.map(async (call) => first(await decideLocked([call])))
    }
  }

  const run = callGroups<BudgetCall, BudgetResult>({
    mostCalls: CALLS_PER_GROUP,
    mostGroups: 1,
    schedule: setImmediate,
    run: async (calls) => {
      if (calls.length === 1) return decideLocked(calls)
      const results = await decideFree(calls)
      const waiting = calls.filter((call) => !results.has(call))
      if (waiting.length === 0) return calls.flatMap((call) => results.get(call) ?? [])
      const later = decideLater(waiting)
      return calls.map((call) => results.get(call) ?? later.then((found) => first(found.slice(waiting.indexOf(call)))))
    },
  })

  return {
    async reserve(reservation, now) {
      checkBudgetUse(reservation)
      const decision = await run({ kind: 'reserve', reservation, now })
      if (typeof decision === 'boolean') throw new TypeError('A reservation has no decision.')
      return decision
    },

    async settle(key, use, now) {
      checkBudgetUse(use)
      return (await run({ kind: 'settle', key, use, now })) === true
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

const accountIdsOf = (call: BudgetCall): readonly AccountId[] =>
  call.kind === 'reserve' ? call.reservation.accounts.map(({ id }) => id) : call.key.accounts

const pairOf = (
  call: BudgetCall,
  result: BudgetResult | undefined,
): readonly (readonly [BudgetCall, BudgetResult])[] => (result === undefined ? [] : [[call, result]])

function first<Result>([result]: readonly Result[]): Result {
  if (result === undefined) throw new TypeError('A call has no result.')
  return result
}

/** Sums the reservations of the accounts in which calls reserve, at the times of these calls. */
async function sumsFor(
  executor: Kysely<GatewayTables>,
  calls: readonly BudgetCall[],
): Promise<ReadonlyMap<number, ReadonlyMap<AccountId, HeldSums>>> {
  const times = new Map<number, Set<AccountId>>()
  for (const call of calls) {
    if (call.kind !== 'reserve') continue
    const ids = times.get(call.now.getTime()) ?? new Set()
    for (const { id } of call.reservation.accounts) ids.add(id)
    times.set(call.now.getTime(), ids)
  }
  const sums = new Map<number, ReadonlyMap<AccountId, HeldSums>>()
  for (const [time, ids] of times) sums.set(time, await heldSums(executor, [...ids], new Date(time)))
  return sums
}

/** Finds the reservations that calls settle. */
async function holdsFor(executor: Kysely<GatewayTables>, calls: readonly BudgetCall[]): Promise<readonly HoldRow[]> {
  const ids = calls.flatMap((call) => (call.kind === 'settle' ? [call.key.id] : []))
  if (ids.length === 0) return []
  return executor.selectFrom('gateway_holds').selectAll().where('id', 'in', ids).execute()
}

async function storeGroup(
  executor: Kysely<GatewayTables>,
  dialect: Dialect,
  { changed, added, settled, receipts, longExpired }: BudgetGroup,
): Promise<void> {
  if (changed.length > 0) {
    const rows = changed.map(([id, account]) => ({ key_id: id, ...toRow(account) }))
    const columns = Object.keys(toRow(emptyBudgetAccount))
    await dialect.overwrite(executor.insertInto('gateway_budgets').values(rows), { key: ['key_id'], columns }).execute()
  }
  if (settled.size > 0) await deleteHolds(executor, [...settled])
  if (added.length > 0) await executor.insertInto('gateway_holds').values(added).execute()
  if (receipts.length > 0) await executor.insertInto('gateway_receipts').values(receipts).execute()
  for (const [id, now] of longExpired) await deleteLongExpired(executor, id, now)
}

const deleteHolds = async (executor: Kysely<GatewayTables>, ids: readonly string[]): Promise<void> => {
  await executor
    .deleteFrom('gateway_holds')
    .where('id', 'in', [...ids])
    .execute()
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
  await deleteHolds(
    executor,
    expired.map(({ id }) => id),
  )
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

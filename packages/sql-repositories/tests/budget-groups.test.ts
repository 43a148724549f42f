import type { Nanodollars } from '@trivium/gateway-core'
import type { AccountId, Budget, BudgetRepository, ReservationId } from '@trivium/gateway-core/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlBudgets } from '../src/gateway/sql-budgets.ts'
import { recordQueries } from './recorded-queries.ts'
import { allDatabases, type FreshDatabase, sharedDatabases } from './test-databases.ts'

const now = new Date(Date.UTC(2026, 0, 2))
const later = new Date(now.getTime() + 60_000)
const account = (name: string) => name as AccountId // ids are opaque here
let reservations = 0

function reserve(budgets: BudgetRepository, names: readonly string[], tokens: number, budget: Budget) {
  reservations += 1
  const id = `reservation-${reservations}` as ReservationId // as the gateway creates it
  const accounts = names.map((name) => ({ id: account(name), budget }))
  const decision = budgets.reserve({ id, accounts, tokens, cost: 0 as Nanodollars, expiresAt: later }, now)
  return { key: { id, accounts: names.map(account) }, decision }
}

describe.each(allDatabases)('budgets on $name', (kind) => {
  let fresh: FreshDatabase
  let database: Database
  beforeAll(async () => {
    fresh = await kind.create()
    database = await fresh.open()
    await migrateGateway(database)
  })
  afterAll(() => fresh.remove())

  it('reserve and settle in one transaction for all requests of one turn', async () => {
    const recording = recordQueries(database)
    const budgets = sqlBudgets(recording.database)
    const all = (names: readonly string[]) =>
      names.map((name) => reserve(budgets, [name, 'team'], 10, { tokensPerDay: 65 }))
    await Promise.all(all(['a', 'b']).map(({ decision }) => decision))
    recording.take()
    const made = all(['a', 'b', 'a', 'b', 'a'])
    const decisions = await Promise.all(made.map(({ decision }) => decision))
    expect(decisions.map(({ granted }) => granted)).toEqual([true, true, true, true, false])
    const statements = recording.take().length
    const uses = made.map(({ key }) => budgets.settle(key, { tokens: 7, cost: 0 as Nanodollars }, now))
    expect(await Promise.all(uses)).toEqual([true, true, true, true, false])
    expect([statements, recording.take().length]).toEqual([3, 4])
    expect(await budgets.inspect(account('team'), now)).toMatchObject({ day: 28, reserved: 20, running: 2 })
    expect(await budgets.inspect(account('a'), now)).toMatchObject({ day: 14, reserved: 10, running: 1 })
  })

  it('settle a reservation that is made in the same turn', async () => {
    const budgets = sqlBudgets(database)
    const { key, decision } = reserve(budgets, ['same'], 10, { tokensPerDay: 10 })
    const settled = budgets.settle(key, { tokens: 4, cost: 0 as Nanodollars, receipt: 'text' }, now)
    const other = reserve(budgets, ['same'], 6, { tokensPerDay: 10 })
    expect(await decision).toEqual({ granted: true })
    expect(await settled).toBe(true)
    expect(await other.decision).toEqual({ granted: true })
    expect(await budgets.inspect(account('same'), now)).toMatchObject({ day: 4, reserved: 6 })
  })
})

describe.each(
  sharedDatabases.filter(({ name }) => !name.startsWith('SQLite')),
)('budgets of processes on $name', (kind) => {
  it('keep no account waiting for another one of the same turn that a process holds', async () => {
    const fresh = await kind.create()
    const database = await fresh.open()
    await migrateGateway(database)
    const budgets = sqlBudgets(database)
    const both = () => ['held', 'free'].map((name) => reserve(budgets, [name], 1, { tokensPerDay: 100 }).decision)
    await Promise.all(both())
    const order: string[] = []
    const other = await fresh.open()
    await other.kysely.transaction().execute(async (transaction) => {
      await sql`update gateway_budgets set day_shift = day_shift where key_id = 'held'`.execute(transaction)
      const [held, free] = both()
      void held?.then(() => order.push('held'))
      await free
      order.push('free')
    })
    await expect.poll(() => order).toEqual(['free', 'held'])
    await fresh.remove()
  })
})

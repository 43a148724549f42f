import { describe, expect, it } from 'vitest'
import type { AccountId } from '../accounts/account-id.ts'
import type { Budget, SpendPeriod } from '../accounts/limits.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { BudgetRepository, Reservation, ReservationId, ReservationKey } from '../budgets/budget-repository.ts'
import type { Nanodollars } from '../money/dollars.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here
/** The longest id of an account, of a user of the host. */
const other = `user:${"ü's%_\\\\".padEnd(127, '🦉')}x` as AccountId
const noon = Date.UTC(2026, 0, 2, 12)
const DAY_SECONDS = 86_400
const at = (seconds: number) => new Date(noon + seconds * 1_000)

/** Registers vitest cases for a `BudgetRepository`, with simultaneous requests of several replicas. Each opens an empty store. */
export function budgetRepositoryConformance(open: OpenReplicas<BudgetRepository>): void {
  describe('budget repository', () => {
    it('reserves up to the limit, and refuses more without reserving it', async () => {
      const budgets = await openOne(open)
      expect(await budgets.reserve(reservation(1, 60, { tokensPerMinute: 100 }), at(0))).toEqual({ granted: true })
      expect(await budgets.reserve(reservation(2, 41, { tokensPerMinute: 100 }), at(0))).toMatchObject({
        granted: false,
        account: key,
        limit: 'minute',
        state: { minute: 0, day: 0, reserved: 60, running: 1 },
      })
      expect(await budgets.reserve(reservation(3, 40, { tokensPerMinute: 100 }), at(0))).toEqual({ granted: true })
      expect(await budgets.inspect(key, at(0))).toMatchObject({ minute: 0, day: 0, reserved: 100 })
    })

    it('replaces the reserved tokens with the settled ones', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60, { tokensPerDay: 100 }), at(0))
      await budgets.settle(keyOf(1), used(25), at(1))
      expect(await budgets.inspect(key, at(1))).toMatchObject({ minute: 25, day: 25, reserved: 0 })
      expect(await budgets.reserve(reservation(2, 75, { tokensPerDay: 100 }), at(2))).toEqual({ granted: true })
    })

    it('accepts a settlement that exceeds the limit, and then refuses reservations', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 10, { tokensPerDay: 100 }), at(0))
      await budgets.settle(keyOf(1), used(150), at(1))
      expect(await budgets.reserve(reservation(2, 0, { tokensPerDay: 100 }), at(2))).toMatchObject({
        granted: false,
        limit: 'day',
      })
    })

    it('releases a reservation that is settled with 0 tokens', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60, { tokensPerMinute: 100 }), at(0))
      await budgets.settle(keyOf(1), used(0), at(0))
      expect(await budgets.inspect(key, at(0))).toMatchObject({ minute: 0, day: 0, reserved: 0 })
    })

    it.each([
      ['negative', -1],
      ['fractional', 1.5],
      ['infinite', Number.POSITIVE_INFINITY],
      ['unsafe', Number.MAX_SAFE_INTEGER + 1],
      ['absent', Number.NaN],
    ])('refuses a count that is %s, and reserves and settles nothing', async (_, count) => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60), at(0))
      const wrong = [reservation(2, count), reservation(3, 1, {}, { cost: dollars(count) })]
      for (const one of wrong) await expect(budgets.reserve(one, at(0))).rejects.toThrow(RangeError)
      for (const use of [used(count), used(1, count)]) {
        await expect(budgets.settle(keyOf(1), use, at(0))).rejects.toThrow(RangeError)
      }
      expect(await budgets.inspect(key, at(0))).toMatchObject({ minute: 0, reserved: 60, reservedCost: 0, running: 1 })
    })

    it('settles a reservation once, however many replicas settle it', async () => {
      const replica = alternating(await open(3))
      await replica(0).reserve(reservation(1, 60, {}), at(0))
      await Promise.all(Array.from({ length: 6 }, (_, index) => replica(index).settle(keyOf(1), used(7), at(0))))
      expect(await replica(0).inspect(key, at(0))).toMatchObject({ minute: 7, day: 7, reserved: 0 })
    })

    it('starts again at 0 with each minute and each day of UTC', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 0, {}), at(59))
      await budgets.settle(keyOf(1), used(30), at(59.999))
      expect(await budgets.inspect(key, at(59.999))).toMatchObject({ minute: 30, day: 30 })
      expect(await budgets.inspect(key, at(60))).toMatchObject({ minute: 0, day: 30 })
      await budgets.reserve(reservation(2, 0, {}), at(61))
      await budgets.settle(keyOf(2), used(4), at(61))
      expect(await budgets.inspect(key, at(61))).toMatchObject({ minute: 4, day: 34 })
      expect(await budgets.inspect(key, at(12 * 3_600 - 0.001))).toMatchObject({ minute: 0, day: 34 })
      expect(await budgets.inspect(key, at(12 * 3_600))).toMatchObject({ minute: 0, day: 0 })
    })

    it('keeps the settled tokens and grants no more when the clock goes back', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 0, {}), at(0))
      await budgets.reserve(reservation(2, 0, {}), at(0))
      await budgets.settle(keyOf(1), used(30), at(12 * 3_600))
      const before = at(12 * 3_600 - 1)
      expect(await budgets.inspect(key, before)).toMatchObject({ minute: 30, day: 30, reserved: 0 })
      expect(await budgets.reserve(reservation(3, 1, { tokensPerDay: 30 }), before)).toMatchObject({ granted: false })
      expect(await budgets.reserve(reservation(4, 1, { tokensPerMinute: 30 }), before)).toMatchObject({
        granted: false,
      })
      await budgets.settle(keyOf(2), used(4), before)
      expect(await budgets.inspect(key, at(12 * 3_600))).toMatchObject({ minute: 34, day: 34, reserved: 0 })
    })

    it.each([
      ['ahead', 30 * DAY_SECONDS],
      ['ahead', 2 * DAY_SECONDS],
      ['late', -30 * DAY_SECONDS],
      ['late', -2 * DAY_SECONDS],
    ])('needs at most one window after a clock that was %s by %i s', async (_, wrong) => {
      const replica = alternating(await open(2))
      await settle(replica(0), 1, 100, at(0))
      await settle(replica(1), 2, 100, at(wrong))
      await settle(replica(0), 3, 100, at(wrong + 1))
      // The last settlement may count until the minute and the day of the right clock end.
      await replica(0).reserve(reservation(4, 1, { tokensPerMinute: 1, tokensPerDay: 1 }), at(2))
      expect(await replica(1).inspect(key, at(60))).toMatchObject({ minute: 0 })
      expect(await replica(0).inspect(key, at(12 * 3_600))).toMatchObject({ minute: 0, day: 0 })
      await settle(replica(1), 5, 7, at(12 * 3_600))
      expect(await replica(0).inspect(key, at(12 * 3_600))).toMatchObject({ minute: 7, day: 7 })
      await settle(replica(0), 6, 5, at(12 * 3_600 + 60))
      expect(await replica(1).inspect(key, at(12 * 3_600 + 60))).toMatchObject({ minute: 5, day: 12 })
      expect(await replica(1).inspect(key, at(36 * 3_600))).toMatchObject({ minute: 0, day: 0 })
    })

    it('settles a reservation of a clock that was far ahead, and does not count it before', async () => {
      const replica = alternating(await open(2))
      const ahead = at(30 * DAY_SECONDS)
      const expiresAt = at(30 * DAY_SECONDS + 600)
      expect((await replica(0).reserve(reservation(1, 60, { tokensPerDay: 100 }, { expiresAt }), ahead)).granted).toBe(
        true,
      )
      expect((await replica(0).inspect(key, ahead)).reserved).toBe(60)
      expect((await replica(1).inspect(key, at(0))).reserved).toBe(0)
      expect((await replica(1).reserve(reservation(2, 60, { tokensPerDay: 100 }), at(0))).granted).toBe(true)
      await replica(0).settle(keyOf(1), used(5), at(1))
      expect(await replica(1).inspect(key, at(1))).toMatchObject({ day: 5, reserved: 60 })
    })

    it('reports the day rather than the minute where both refuse', async () => {
      const budgets = await openOne(open)
      const decision = await budgets.reserve(reservation(1, 11, { tokensPerMinute: 10, tokensPerDay: 10 }), at(0))
      expect(decision).toMatchObject({ granted: false, limit: 'day' })
    })

    it('counts a reservation in the next minute as well as in its own', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60, { tokensPerMinute: 100 }), at(59))
      expect((await budgets.reserve(reservation(2, 60, { tokensPerMinute: 100 }), at(61))).granted).toBe(false)
    })

    it('counts a reservation until it expires, and accepts its settlement later', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60, { tokensPerDay: 100 }, { expiresAt: at(30) }), at(0))
      expect((await budgets.reserve(reservation(2, 60, { tokensPerDay: 100 }), at(29.999))).granted).toBe(false)
      expect((await budgets.reserve(reservation(3, 60, { tokensPerDay: 100 }), at(30))).granted).toBe(true)
      expect(await budgets.inspect(key, at(30))).toMatchObject({ minute: 0, day: 0, reserved: 60 })
      await budgets.settle(keyOf(1), used(9), at(31))
      expect(await budgets.inspect(key, at(31))).toMatchObject({ minute: 9, day: 9, reserved: 60 })
    })

    it('counts each key separately', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 100, { tokensPerDay: 100 }), at(0))
      const otherReservation = { ...reservation(2, 100), accounts: [{ id: other, budget: { tokensPerDay: 100 } }] }
      expect(await budgets.reserve(otherReservation, at(0))).toEqual({ granted: true })
      await budgets.settle({ id: otherReservation.id, accounts: [other] }, used(5), at(0))
      expect(await budgets.inspect(other, at(0))).toMatchObject({ minute: 5, day: 5, reserved: 0 })
      expect(await budgets.inspect(key, at(0))).toMatchObject({ minute: 0, day: 0, reserved: 100 })
    })

    it('counts tokens beyond 32 bits', async () => {
      const budgets = await openOne(open)
      const tokens = 2 ** 41
      await budgets.reserve(reservation(1, tokens, { tokensPerDay: 2 ** 42 }), at(0))
      await budgets.settle(keyOf(1), used(tokens + 1), at(0))
      expect(await budgets.inspect(key, at(0))).toMatchObject({ minute: tokens + 1, day: tokens + 1, reserved: 0 })
    })

    it('grants simultaneous reservations exactly up to the limit, on any replica', async () => {
      const replica = alternating(await open(4))
      const decisions = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          replica(index).reserve(reservation(index, 10, { tokensPerMinute: 95, tokensPerDay: 1_000 }), at(0)),
        ),
      )
      expect(decisions.filter(({ granted }) => granted)).toHaveLength(9)
      expect((await replica(1).inspect(key, at(0))).reserved).toBe(90)
    })

    it('adds all simultaneous settlements', async () => {
      const replica = alternating(await open(3))
      for (let index = 0; index < 12; index += 1) await replica(index).reserve(reservation(index, 5, {}), at(0))
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => replica(index).settle(keyOf(index), used(index), at(1))),
      )
      expect(await replica(0).inspect(key, at(1))).toMatchObject({ minute: 66, day: 66, reserved: 0 })
    })

    it.each([
      ['day', 12 * 3_600],
      ['month', 30 * DAY_SECONDS - 12 * 3_600],
    ] as const)('spends up to the limit of a %s, and again in the next one', async (period, next) => {
      const budgets = await openOne(open)
      const budget = spending(100, period)
      await budgets.reserve(reservation(1, 0, budget, { cost: dollars(60) }), at(0))
      expect(await budgets.reserve(reservation(2, 0, budget, { cost: dollars(41) }), at(0))).toMatchObject({
        granted: false,
        limit: 'spend',
        state: { reservedCost: 60, spent: { day: 0, month: 0, total: 0 } },
      })
      await budgets.settle(keyOf(1), used(0, 55), at(next - 1))
      expect(await budgets.inspect(key, at(next - 1))).toMatchObject({ spent: { [period]: 55, total: 55 } })
      expect(await budgets.reserve(reservation(3, 0, budget, { cost: dollars(46) }), at(next - 1))).toMatchObject({
        granted: false,
      })
      expect(await budgets.inspect(key, at(next))).toMatchObject({ spent: { [period]: 0, total: 55 } })
      expect(await budgets.reserve(reservation(4, 0, budget, { cost: dollars(100) }), at(next))).toEqual({
        granted: true,
      })
    })

    it('spends a limit in all only once', async () => {
      const budgets = await openOne(open)
      await settle(budgets, 1, 0, at(0), 70)
      const later = at(400 * DAY_SECONDS)
      expect(await budgets.inspect(key, later)).toMatchObject({ spent: { day: 0, month: 0, total: 70 } })
      const budget = spending(100, 'total')
      const refused = await budgets.reserve(reservation(2, 0, budget, { cost: dollars(31) }), later)
      expect(refused).toMatchObject({ granted: false, limit: 'spend' })
      expect((await budgets.reserve(reservation(3, 0, budget, { cost: dollars(30) }), later)).granted).toBe(true)
    })

    it('counts what was spent before in a period that a limit gets later', async () => {
      const budgets = await openOne(open)
      await settle(budgets, 1, 0, at(0), 70)
      for (const period of ['day', 'month', 'total'] as const) {
        const decision = await budgets.reserve(reservation(2, 0, spending(69, period)), at(1))
        expect(decision).toMatchObject({ granted: false, limit: 'spend' })
      }
    })

    it('counts an expired reservation for money until it is settled, and no longer for tokens and requests', async () => {
      const budgets = await openOne(open)
      const budget = { ...spending(100, 'total'), tokensPerDay: 10, parallel: 1 }
      await budgets.reserve(reservation(1, 10, budget, { cost: dollars(60), expiresAt: at(30) }), at(0))
      expect(await budgets.inspect(key, at(30))).toMatchObject({ reserved: 0, running: 0, reservedCost: 60 })
      expect(await budgets.reserve(reservation(2, 0, budget, { cost: dollars(41) }), at(30))).toMatchObject({
        granted: false,
        limit: 'spend',
      })
      expect((await budgets.reserve(reservation(3, 10, budget, { cost: dollars(40) }), at(30))).granted).toBe(true)
      expect(await budgets.settle(keyOf(1), used(0, 7), at(40))).toBe(true)
      expect(await budgets.inspect(key, at(40))).toMatchObject({ reservedCost: 40, spent: { total: 7 } })
    })

    it('runs as many requests at the same time as the limit', async () => {
      const budgets = await openOne(open)
      const budget = { parallel: 2 }
      expect((await budgets.reserve(reservation(1, 0, budget), at(0))).granted).toBe(true)
      expect((await budgets.reserve(reservation(2, 0, budget, { expiresAt: at(30) }), at(0))).granted).toBe(true)
      expect(await budgets.reserve(reservation(3, 0, budget), at(1))).toMatchObject({
        granted: false,
        limit: 'parallel',
        state: { running: 2 },
      })
      expect((await budgets.reserve(reservation(4, 0, budget), at(30))).granted).toBe(true)
      await budgets.settle(keyOf(1), used(0), at(31))
      expect((await budgets.reserve(reservation(5, 0, budget), at(31))).granted).toBe(true)
      expect((await budgets.inspect(key, at(31))).running).toBe(2)
    })

    it('reserves in all accounts or in none', async () => {
      const budgets = await openOne(open)
      const both = (budget: Budget) => ({
        accounts: [
          { id: key, budget },
          { id: other, budget: spending(50, 'day') },
        ],
      })
      await budgets.reserve(reservation(1, 5, {}, { ...both({}), cost: dollars(40) }), at(0))
      const refused = await budgets.reserve(reservation(2, 5, {}, { ...both({}), cost: dollars(20) }), at(0))
      expect(refused).toMatchObject({ granted: false, account: other, limit: 'spend', state: { reservedCost: 40 } })
      expect(await budgets.inspect(key, at(0))).toMatchObject({ reserved: 5, reservedCost: 40, running: 1 })
      const first = await budgets.reserve(reservation(3, 5, {}, both({ parallel: 1 })), at(0))
      expect(first).toMatchObject({ granted: false, account: key, limit: 'parallel' })
      await budgets.settle({ ...keyOf(1), accounts: [key, other] }, used(3, 30), at(1))
      for (const account of [key, other]) {
        expect(await budgets.inspect(account, at(1))).toMatchObject({
          minute: 3,
          reserved: 0,
          reservedCost: 0,
          running: 0,
          spent: { day: 30, month: 30, total: 30 },
        })
      }
    })

    it('settles once, and reports which call did', async () => {
      const replica = alternating(await open(3))
      await replica(0).reserve(reservation(1, 1, {}, { cost: dollars(9), receipt: 'begun' }), at(0))
      const settled = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          replica(index).settle(keyOf(1), { ...used(1, 4), receipt: `ended ${index}` }, at(0)),
        ),
      )
      expect(settled.filter(Boolean)).toHaveLength(1)
      expect(await replica(0).inspect(key, at(0))).toMatchObject({ spent: { total: 4 }, reservedCost: 0 })
      expect(await replica(1).unfinished(at(1), 10)).toEqual({
        reservations: [],
        receipts: [{ id: keyOf(1).id, receipt: `ended ${settled.indexOf(true)}` }],
      })
      expect(await replica(0).settle(keyOf(2), used(1, 1), at(0))).toBe(false)
    })

    it('keeps receipts until they are confirmed', async () => {
      const budgets = await openOne(open)
      for (const index of [1, 2, 3]) {
        await budgets.reserve(reservation(index, 0), at(0))
        await budgets.settle(keyOf(index), { ...used(0), receipt: `größe 🦉 ${index}` }, at(4 - index))
      }
      const ids = async (limit: number, before = at(100)) =>
        (await budgets.unfinished(before, limit)).receipts.map(({ receipt }) => receipt)
      expect(await ids(10)).toEqual(['größe 🦉 3', 'größe 🦉 2', 'größe 🦉 1'])
      expect(await ids(1)).toEqual(['größe 🦉 3'])
      expect(await ids(10, at(2))).toEqual(['größe 🦉 3'])
      await budgets.confirm([keyOf(3).id, keyOf(1).id, keyOf(7).id])
      expect(await ids(10)).toEqual(['größe 🦉 2'])
      await budgets.confirm([])
    })

    it('finds reservations with a receipt that expired, and renews those that last longer', async () => {
      const budgets = await openOne(open)
      const accounts = [
        { id: key, budget: {} },
        { id: other, budget: {} },
      ]
      const lost = { receipt: 'lost', expiresAt: at(30), cost: dollars(8), accounts }
      await budgets.reserve(reservation(1, 3, {}, lost), at(0))
      await budgets.reserve(reservation(2, 3, {}, { ...lost, expiresAt: at(31) }), at(0))
      await budgets.reserve(reservation(3, 3, {}, { expiresAt: at(30) }), at(0))
      expect(await budgets.unfinished(at(30), 10)).toEqual({ reservations: [], receipts: [] })
      const found = await budgets.unfinished(at(40), 10)
      expect(found.reservations.map(({ id }) => id)).toEqual([keyOf(1).id, keyOf(2).id])
      expect(found.reservations[0]).toMatchObject({ tokens: 3, cost: 8, receipt: 'lost' })
      expect([...(found.reservations[0]?.accounts ?? [])].sort()).toEqual([key, other].sort())
      expect((await budgets.unfinished(at(40), 1)).reservations).toHaveLength(1)
      await budgets.renew([{ id: keyOf(1).id, accounts: [key, other] }, keyOf(9)], at(60))
      expect((await budgets.unfinished(at(40), 10)).reservations.map(({ id }) => id)).toEqual([keyOf(2).id])
      expect(await budgets.inspect(other, at(40))).toMatchObject({ reserved: 3, running: 1, reservedCost: 16 })
      await budgets.renew([], at(60))
    })

    it('spends exactly up to the limits of all accounts from any number of replicas', async () => {
      const replica = alternating(await open(4))
      const accounts = (index: number) => [
        { id: index % 2 === 0 ? key : (`${key}-b` as ApiKeyId), budget: spending(60, 'day') },
        { id: other, budget: spending(95, 'total') },
      ]
      // Half of them name the accounts in the other order.
      const decisions = await Promise.all(
        Array.from({ length: 24 }, (_, index) => {
          const named = index % 4 < 2 ? accounts(index) : accounts(index).reverse()
          return replica(index).reserve(reservation(index, 0, {}, { accounts: named, cost: dollars(10) }), at(0))
        }),
      )
      expect(decisions.filter(({ granted }) => granted)).toHaveLength(9)
      expect((await replica(1).inspect(other, at(0))).reservedCost).toBe(90)
      await Promise.all(
        decisions.map(({ granted }, index) => {
          const key = { id: keyOf(index).id, accounts: accounts(index).map(({ id }) => id) }
          return granted && replica(index + 1).settle(key, used(1, 7), at(1))
        }),
      )
      expect(await replica(2).inspect(other, at(1))).toMatchObject({ minute: 9, reservedCost: 0, spent: { day: 63 } })
    })

    it('counts money beyond 32 bits, up to the largest amount', async () => {
      const budgets = await openOne(open)
      const most = Number.MAX_SAFE_INTEGER
      await budgets.reserve(reservation(1, 0, spending(most, 'total'), { cost: dollars(most) }), at(0))
      await budgets.settle(keyOf(1), used(0, most - 1), at(0))
      expect(await budgets.inspect(key, at(0))).toMatchObject({ spent: { total: most - 1 } })
      const one = reservation(2, 0, spending(most, 'total'), { cost: dollars(1) })
      expect((await budgets.reserve(one, at(0))).granted).toBe(true)
      const refused = await budgets.reserve({ ...one, id: keyOf(3).id }, at(0))
      expect(refused).toMatchObject({ granted: false, limit: 'spend' })
    })
  })
}

async function settle(budgets: BudgetRepository, index: number, tokens: number, now: Date, cost = 0): Promise<void> {
  await budgets.reserve(reservation(index, 0), now)
  await budgets.settle(keyOf(index), used(tokens, cost), now)
}

const dollars = (billionths: number) => billionths as Nanodollars // whole numbers here

const used = (tokens: number, cost = 0) => ({ tokens, cost: dollars(cost) })

const spending = (most: number, period: SpendPeriod): Budget => ({ spend: { most: dollars(most), period } })

const keyOf = (index: number): ReservationKey => ({
  id: `reservation-${index}` as ReservationId, // ids are opaque here
  accounts: [key],
})

const reservation = (
  index: number,
  tokens: number,
  budget: Budget = {},
  more: Partial<Reservation> = {},
): Reservation => ({
  id: keyOf(index).id,
  accounts: [{ id: key, budget }],
  tokens,
  cost: dollars(0),
  expiresAt: at(3_600),
  ...more,
})

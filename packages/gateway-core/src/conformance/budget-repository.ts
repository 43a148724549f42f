import { describe, expect, it } from 'vitest'
import type { AccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { BudgetRepository, Reservation, ReservationId } from '../budgets/budget-repository.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here
/** The longest id of an account, of a user of the host. */
const other = `user:${"ü's%_\\\\".padEnd(128, '🦉')}` as AccountId
const noon = Date.UTC(2026, 0, 2, 12)
const DAY_SECONDS = 86_400
const at = (seconds: number) => new Date(noon + seconds * 1_000)

/** Registers vitest cases for a `BudgetRepository`, with simultaneous requests of several replicas. Each opens an empty store. */
export function budgetRepositoryConformance(open: OpenReplicas<BudgetRepository>): void {
  describe('budget repository', () => {
    it('reserves up to the limit, and refuses more without reserving it', async () => {
      const budgets = await openOne(open)
      expect(await budgets.reserve(reservation(1, 60), { tokensPerMinute: 100 }, at(0))).toEqual({ granted: true })
      expect(await budgets.reserve(reservation(2, 41), { tokensPerMinute: 100 }, at(0))).toEqual({
        granted: false,
        window: 'minute',
        state: { minute: 0, day: 0, reserved: 60 },
      })
      expect(await budgets.reserve(reservation(3, 40), { tokensPerMinute: 100 }, at(0))).toEqual({ granted: true })
      expect(await budgets.inspect(key, at(0))).toEqual({ minute: 0, day: 0, reserved: 100 })
    })

    it('replaces the reserved tokens with the settled ones', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60), { tokensPerDay: 100 }, at(0))
      await budgets.settle(reservation(1, 60), 25, at(1))
      expect(await budgets.inspect(key, at(1))).toEqual({ minute: 25, day: 25, reserved: 0 })
      expect(await budgets.reserve(reservation(2, 75), { tokensPerDay: 100 }, at(2))).toEqual({ granted: true })
    })

    it('accepts a settlement that exceeds the limit, and then refuses reservations', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 10), { tokensPerDay: 100 }, at(0))
      await budgets.settle(reservation(1, 10), 150, at(1))
      expect(await budgets.reserve(reservation(2, 0), { tokensPerDay: 100 }, at(2))).toMatchObject({
        granted: false,
        window: 'day',
      })
    })

    it('releases a reservation that is settled with 0 tokens', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60), { tokensPerMinute: 100 }, at(0))
      await budgets.settle(reservation(1, 60), 0, at(0))
      expect(await budgets.inspect(key, at(0))).toEqual({ minute: 0, day: 0, reserved: 0 })
    })

    it('settles a reservation once, however many replicas settle it', async () => {
      const replica = alternating(await open(3))
      await replica(0).reserve(reservation(1, 60), {}, at(0))
      await Promise.all(Array.from({ length: 6 }, (_, index) => replica(index).settle(reservation(1, 60), 7, at(0))))
      expect(await replica(0).inspect(key, at(0))).toEqual({ minute: 7, day: 7, reserved: 0 })
    })

    it('starts again at 0 with each minute and each day of UTC', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 0), {}, at(59))
      await budgets.settle(reservation(1, 0), 30, at(59.999))
      expect(await budgets.inspect(key, at(59.999))).toMatchObject({ minute: 30, day: 30 })
      expect(await budgets.inspect(key, at(60))).toMatchObject({ minute: 0, day: 30 })
      await budgets.reserve(reservation(2, 0), {}, at(61))
      await budgets.settle(reservation(2, 0), 4, at(61))
      expect(await budgets.inspect(key, at(61))).toMatchObject({ minute: 4, day: 34 })
      expect(await budgets.inspect(key, at(12 * 3_600 - 0.001))).toMatchObject({ minute: 0, day: 34 })
      expect(await budgets.inspect(key, at(12 * 3_600))).toMatchObject({ minute: 0, day: 0 })
    })

    it('keeps the settled tokens and grants no more when the clock goes back', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 0), {}, at(0))
      await budgets.reserve(reservation(2, 0), {}, at(0))
      await budgets.settle(reservation(1, 0), 30, at(12 * 3_600))
      const before = at(12 * 3_600 - 1)
      expect(await budgets.inspect(key, before)).toEqual({ minute: 30, day: 30, reserved: 0 })
      expect(await budgets.reserve(reservation(3, 1), { tokensPerDay: 30 }, before)).toMatchObject({ granted: false })
      expect(await budgets.reserve(reservation(4, 1), { tokensPerMinute: 30 }, before)).toMatchObject({
        granted: false,
      })
      await budgets.settle(reservation(2, 0), 4, before)
      expect(await budgets.inspect(key, at(12 * 3_600))).toEqual({ minute: 34, day: 34, reserved: 0 })
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
      await replica(0).reserve(reservation(4, 1), { tokensPerMinute: 1, tokensPerDay: 1 }, at(2))
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
      const otherReservation = reservation(1, 60, at(30 * DAY_SECONDS + 600))
      expect((await replica(0).reserve(otherReservation, { tokensPerDay: 100 }, ahead)).granted).toBe(true)
      expect((await replica(0).inspect(key, ahead)).reserved).toBe(60)
      expect((await replica(1).inspect(key, at(0))).reserved).toBe(0)
      expect((await replica(1).reserve(reservation(2, 60), { tokensPerDay: 100 }, at(0))).granted).toBe(true)
      await replica(0).settle(otherReservation, 5, at(1))
      expect(await replica(1).inspect(key, at(1))).toMatchObject({ day: 5, reserved: 60 })
    })

    it('reports the day rather than the minute where both refuse', async () => {
      const budgets = await openOne(open)
      const decision = await budgets.reserve(reservation(1, 11), { tokensPerMinute: 10, tokensPerDay: 10 }, at(0))
      expect(decision).toMatchObject({ granted: false, window: 'day' })
    })

    it('counts a reservation in the next minute as well as in its own', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60), { tokensPerMinute: 100 }, at(59))
      expect((await budgets.reserve(reservation(2, 60), { tokensPerMinute: 100 }, at(61))).granted).toBe(false)
    })

    it('counts a reservation until it expires, and accepts its settlement later', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 60, at(30)), { tokensPerDay: 100 }, at(0))
      expect((await budgets.reserve(reservation(2, 60), { tokensPerDay: 100 }, at(29.999))).granted).toBe(false)
      expect((await budgets.reserve(reservation(3, 60), { tokensPerDay: 100 }, at(30))).granted).toBe(true)
      expect(await budgets.inspect(key, at(30))).toEqual({ minute: 0, day: 0, reserved: 60 })
      await budgets.settle(reservation(1, 60), 9, at(31))
      expect(await budgets.inspect(key, at(31))).toEqual({ minute: 9, day: 9, reserved: 60 })
    })

    it('counts each key separately', async () => {
      const budgets = await openOne(open)
      await budgets.reserve(reservation(1, 100), { tokensPerDay: 100 }, at(0))
      const otherReservation = { ...reservation(2, 100), accountId: other }
      expect(await budgets.reserve(otherReservation, { tokensPerDay: 100 }, at(0))).toEqual({ granted: true })
      await budgets.settle(otherReservation, 5, at(0))
      expect(await budgets.inspect(key, at(0))).toEqual({ minute: 0, day: 0, reserved: 100 })
    })

    it('counts tokens beyond 32 bits', async () => {
      const budgets = await openOne(open)
      const tokens = 2 ** 41
      await budgets.reserve(reservation(1, tokens), { tokensPerDay: 2 ** 42 }, at(0))
      await budgets.settle(reservation(1, tokens), tokens + 1, at(0))
      expect(await budgets.inspect(key, at(0))).toEqual({ minute: tokens + 1, day: tokens + 1, reserved: 0 })
    })

    it('grants simultaneous reservations exactly up to the limit, on any replica', async () => {
      const replica = alternating(await open(4))
      const decisions = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          replica(index).reserve(reservation(index, 10), { tokensPerMinute: 95, tokensPerDay: 1_000 }, at(0)),
        ),
      )
      expect(decisions.filter(({ granted }) => granted)).toHaveLength(9)
      expect((await replica(1).inspect(key, at(0))).reserved).toBe(90)
    })

    it('adds all simultaneous settlements', async () => {
      const replica = alternating(await open(3))
      for (let index = 0; index < 12; index += 1) await replica(index).reserve(reservation(index, 5), {}, at(0))
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => replica(index).settle(reservation(index, 5), index, at(1))),
      )
      expect(await replica(0).inspect(key, at(1))).toEqual({ minute: 66, day: 66, reserved: 0 })
    })
  })
}

async function settle(budgets: BudgetRepository, index: number, tokens: number, now: Date): Promise<void> {
  await budgets.reserve(reservation(index, 0), {}, now)
  await budgets.settle(reservation(index, 0), tokens, now)
}

const reservation = (index: number, tokens: number, expiresAt: Date = at(3_600)): Reservation => ({
  id: `reservation-${index}` as ReservationId, // ids are opaque here
  accountId: key,
  tokens,
  expiresAt,
})

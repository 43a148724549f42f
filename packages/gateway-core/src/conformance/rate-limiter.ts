import { describe, expect, it } from 'vitest'
import type { AccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import { CLOCK_SKEW_MS, RATE_WINDOW_MS, type RateDecision, type RateLimiter } from '../rate-limits/rate-limiter.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here
/** The longest id of an account, of a user of the host. */
const other = `user:${"ü's%_\\\\".padEnd(128, '🦉')}` as AccountId
const start = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const at = (milliseconds: number) => new Date(start + milliseconds)
const MONTH_MS = 30 * 86_400_000

/** Registers vitest cases for a `RateLimiter`, with simultaneous requests of several replicas. Each opens an empty store. */
export function rateLimiterConformance(open: OpenReplicas<RateLimiter>): void {
  describe('rate limiter', () => {
    it('admits up to the limit, then reports when the oldest admission leaves the window', async () => {
      const limiter = await openOne(open)
      expect(await limiter.admit(key, 3, at(0))).toEqual(admitted(3, 2, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 3, at(1_000))).toEqual(admitted(3, 1, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 3, at(2_000))).toEqual(admitted(3, 0, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 3, at(3_000))).toEqual(refused(3, RATE_WINDOW_MS))
    })

    it('admits again exactly when an admission is 60 seconds old, not a millisecond before', async () => {
      const limiter = await openOne(open)
      await limiter.admit(key, 2, at(0))
      await limiter.admit(key, 2, at(10))
      expect(await limiter.admit(key, 2, at(RATE_WINDOW_MS - 1))).toEqual(refused(2, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 2, at(RATE_WINDOW_MS))).toEqual(admitted(2, 0, RATE_WINDOW_MS + 10))
      expect(await limiter.admit(key, 2, at(RATE_WINDOW_MS + 9))).toEqual(refused(2, RATE_WINDOW_MS + 10))
      expect(await limiter.admit(key, 2, at(RATE_WINDOW_MS + 10))).toEqual(admitted(2, 0, 2 * RATE_WINDOW_MS))
    })

    it('leaves refused requests uncounted', async () => {
      const limiter = await openOne(open)
      await limiter.admit(key, 1, at(0))
      for (let index = 1; index < 20; index += 1) await limiter.admit(key, 1, at(index * 3_000))
      expect(await limiter.admit(key, 1, at(RATE_WINDOW_MS))).toEqual(admitted(1, 0, 2 * RATE_WINDOW_MS))
    })

    it('counts each key and each user of the host separately', async () => {
      const limiter = await openOne(open)
      await limiter.admit(key, 1, at(0))
      expect((await limiter.admit(other, 1, at(0))).admitted).toBe(true)
    })

    it('inspects a key without counting, also a key without admissions', async () => {
      const limiter = await openOne(open)
      expect(await limiter.inspect(key, 5, at(0))).toEqual({ limit: 5, remaining: 5, resetAt: at(0) })
      await limiter.admit(key, 5, at(0))
      const state = { limit: 5, remaining: 4, resetAt: at(RATE_WINDOW_MS) }
      expect(await limiter.inspect(key, 5, at(100))).toEqual(state)
      expect(await limiter.inspect(key, 5, at(100))).toEqual(state)
      expect(await limiter.inspect(key, 5, at(RATE_WINDOW_MS))).toEqual({
        limit: 5,
        remaining: 5,
        resetAt: at(RATE_WINDOW_MS),
      })
    })

    it('applies a lowered limit immediately', async () => {
      const limiter = await openOne(open)
      for (let index = 0; index < 5; index += 1) await limiter.admit(key, 10, at(index))
      expect(await limiter.admit(key, 2, at(100))).toEqual(refused(2, RATE_WINDOW_MS + 3))
      expect(await limiter.inspect(key, 2, at(100))).toEqual({
        limit: 2,
        remaining: 0,
        resetAt: at(RATE_WINDOW_MS + 3),
      })
      expect((await limiter.admit(key, 2, at(RATE_WINDOW_MS + 2))).admitted).toBe(false)
      expect((await limiter.admit(key, 2, at(RATE_WINDOW_MS + 3))).admitted).toBe(true)
    })

    it('counts earlier admissions against a raised limit', async () => {
      const limiter = await openOne(open)
      for (let index = 0; index < 2; index += 1) await limiter.admit(key, 2, at(index))
      expect(await limiter.admit(key, 4, at(10))).toEqual(admitted(4, 1, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 4, at(11))).toEqual(admitted(4, 0, RATE_WINDOW_MS))
      expect(await limiter.admit(key, 4, at(12))).toEqual(refused(4, RATE_WINDOW_MS))
    })

    it('admits no more when the clock goes back', async () => {
      const limiter = await openOne(open)
      await limiter.admit(key, 2, at(1_000))
      await limiter.admit(key, 2, at(0))
      expect(await limiter.admit(key, 2, at(RATE_WINDOW_MS))).toEqual(refused(2, RATE_WINDOW_MS + 1_000))
      expect((await limiter.admit(key, 2, at(RATE_WINDOW_MS + 1_000))).admitted).toBe(true)
    })

    it.each([
      ['ahead', MONTH_MS, RATE_WINDOW_MS],
      // The right clock catches up with one that is less ahead.
      ['ahead', RATE_WINDOW_MS + 1, 2 * RATE_WINDOW_MS],
      ['ahead', 2 * CLOCK_SKEW_MS, RATE_WINDOW_MS + 2 * CLOCK_SKEW_MS],
      ['late', -MONTH_MS, RATE_WINDOW_MS],
      ['late', -RATE_WINDOW_MS - 1, RATE_WINDOW_MS],
      ['late', -2 * CLOCK_SKEW_MS, RATE_WINDOW_MS],
    ])('needs at most one additional window after a clock that was %s by %i ms', async (_, wrong, wait) => {
      const replica = alternating(await open(2))
      await replica(0).admit(key, 2, at(0))
      await Promise.all([1, 2, 3, 4].map((index) => replica(index).admit(key, 2, at(wrong + index))))
      const decision = await replica(0).admit(key, 2, at(10))
      expect(decision.resetAt.getTime()).toBeLessThanOrEqual(start + 10 + RATE_WINDOW_MS)
      const free = wait + 10
      expect(await replica(1).inspect(key, 2, at(free))).toMatchObject({ remaining: 2 })
      expect(await replica(1).admit(key, 2, at(free))).toMatchObject({ admitted: true, remaining: 1 })
      expect(await replica(0).admit(key, 2, at(free + 1))).toMatchObject({ admitted: true, remaining: 0 })
      expect(await replica(1).admit(key, 2, at(free + 2))).toEqual(refused(2, free + RATE_WINDOW_MS))
      expect(await replica(0).admit(key, 2, at(free + RATE_WINDOW_MS))).toMatchObject({ admitted: true })
    })

    it('reports the time of the next admission by the clock of the caller, even where that is late', async () => {
      const replica = alternating(await open(2))
      await replica(0).admit(key, 1, at(MONTH_MS))
      expect(await replica(1).inspect(key, 1, at(0))).toEqual({ limit: 1, remaining: 0, resetAt: at(RATE_WINDOW_MS) })
      expect(await replica(1).admit(key, 1, at(5))).toEqual(refused(1, RATE_WINDOW_MS + 5))
      expect(await replica(0).admit(key, 1, at(100))).toEqual(refused(1, RATE_WINDOW_MS + 5))
      expect(await replica(0).admit(key, 1, at(RATE_WINDOW_MS + 4))).toEqual(refused(1, RATE_WINDOW_MS + 5))
      expect(await replica(1).admit(key, 1, at(RATE_WINDOW_MS + 5))).toEqual(admitted(1, 0, 2 * RATE_WINDOW_MS + 5))
    })

    it.each([
      MONTH_MS,
      -MONTH_MS,
    ])('admits at most twice the limit in a window while a clock stays wrong by %i ms', async (wrong) => {
      const replica = alternating(await open(2))
      const limit = 4
      const times: number[] = []
      for (let now = 0; now < 6 * RATE_WINDOW_MS; now += 2_500) {
        for (const index of [0, 1, 2, 3]) {
          const decision = await replica(index).admit(key, limit, at(now + (index % 2) * wrong))
          if (decision.admitted) times.push(now)
        }
      }
      const inWindow = times.map((from) => times.filter((time) => time >= from && time < from + RATE_WINDOW_MS).length)
      expect(Math.max(...inWindow)).toBeLessThanOrEqual(2 * limit)
      // The wrong clock does not block the key: no two admissions are more than two windows apart.
      expect(Math.max(...times.map((time, index) => time - (times[index - 1] ?? 0)))).toBeLessThanOrEqual(
        2 * RATE_WINDOW_MS,
      )
    })

    it('admits simultaneous requests exactly up to the limit, on any replica', async () => {
      const replica = alternating(await open(4))
      const decisions = await Promise.all(
        Array.from({ length: 40 }, (_, index) => replica(index).admit(key, 10, at(index % 7))),
      )
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(10)
      const retry = await replica(3).admit(key, 10, at(RATE_WINDOW_MS + 7))
      expect(retry.admitted).toBe(true)
    })

    it('reports a different `remaining` to each simultaneous admission', async () => {
      const replica = alternating(await open(3))
      const decisions = await Promise.all(Array.from({ length: 9 }, (_, index) => replica(index).admit(key, 9, at(0))))
      expect(decisions.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    })

    it('decides like a log of all admissions, for random traffic with changing limits', async () => {
      const replica = alternating(await open(2))
      const random = randomNumbers(20_260_102)
      const log = new AdmissionLog()
      let now = 0
      let limit = 5
      for (let index = 0; index < 400; index += 1) {
        now += random(10) === 0 ? random(RATE_WINDOW_MS * 2) : random(9_000)
        if (random(12) === 0) limit = 1 + random(8)
        const queriedAt = random(15) === 0 ? Math.max(0, now - random(5_000)) : now + clockError(random)
        expect(await replica(index).inspect(key, limit, at(queriedAt))).toEqual(log.inspect(limit, queriedAt))
        expect(await replica(index).admit(key, limit, at(queriedAt))).toEqual(log.admit(limit, queriedAt))
      }
    })
  })
}

const admitted = (limit: number, remaining: number, resetAt: number): RateDecision => ({
  admitted: true,
  limit,
  remaining,
  resetAt: at(resetAt),
})

const refused = (limit: number, resetAt: number): RateDecision => ({
  admitted: false,
  limit,
  remaining: 0,
  resetAt: at(resetAt),
})

/** The rule in its simplest form, which keeps all admissions. */
class AdmissionLog {
  #times: number[] = []
  /** The milliseconds by which the log is ahead of the last used clock. */
  #shift = 0

  admit(limit: number, now: number): RateDecision {
    const counting = this.#counting(now)
    const shift = this.#shiftOf(now)
    if (counting.length >= limit) {
      if (shift > 0) this.#shift = shift
      return { admitted: false, ...this.inspect(limit, now) }
    }
    this.#times = counting.length === 0 ? [now] : [...this.#times, this.#timeOf(now)]
    this.#shift = counting.length === 0 ? 0 : shift
    return { admitted: true, ...this.inspect(limit, now) }
  }

  inspect(limit: number, now: number) {
    const counting = this.#counting(now)
    const oldest = counting.slice(-limit)[0]
    return {
      limit,
      remaining: Math.max(0, limit - counting.length),
      resetAt: at(oldest === undefined ? now : oldest + RATE_WINDOW_MS - this.#shiftOf(now)),
    }
  }

  #counting(now: number): number[] {
    return this.#times.filter((time) => this.#timeOf(now) - time < RATE_WINDOW_MS)
  }

  #timeOf(now: number): number {
    return Math.max(now + this.#shiftOf(now), this.#times.at(-1) ?? now)
  }

  #shiftOf(now: number): number {
    const late = (this.#times.at(-1) ?? now) - now
    return late > CLOCK_SKEW_MS ? Math.max(this.#shift, late) : 0
  }
}

/** Returns the error of a clock: mostly 0, otherwise a month or some minutes. */
const clockError = (random: (below: number) => number): number =>
  random(20) > 0 ? 0 : ([MONTH_MS, 3 * RATE_WINDOW_MS, -2 * RATE_WINDOW_MS, 0][random(4)] ?? 0)

/** Returns a generator that gives the same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

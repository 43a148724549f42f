import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRemovalClock } from './removal-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const start = Date.UTC(2026, 0, 1)
let skew = 0

beforeEach(() => {
  skew = 0
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(usage: readonly number[]) {
  const waits: (Date | undefined)[] = []
  const times = usage.map((time) => new Date(time))
  const readClock = createRemovalClock({
    usage: { newestBefore: async (before) => times.findLast((time) => time < before) },
    now: () => new Date(Date.now() + skew),
    onWaiting: (newestUsage) => waits.push(newestUsage),
  })
  return { readClock, waits, times, isTrusted: async () => (await readClock()).isTrusted }
}

describe('removal clock', () => {
  it('trusts the clock where usage is from one to two days ago', async () => {
    const { readClock, waits } = open([start - 2 * DAY_MS, start])
    expect(await readClock()).toEqual({ isTrusted: true, since: new Date(0) })
    expect(waits).toEqual([])
  })

  it.each([
    ['no usage', []],
    ['usage of today', [start - DAY_MS + HOUR_MS]],
    ['older usage', [start - 2 * DAY_MS - 1]],
    ['future usage', [start + 2 * DAY_MS]],
  ])('trusts the clock with %s only after it has run for a day, and reports the wait once', async (_, usage) => {
    const { readClock, isTrusted, waits } = open(usage)
    expect(await readClock()).toEqual({ isTrusted: false, since: new Date(start) })
    vi.advanceTimersByTime(HOUR_MS - 1)
    expect(await isTrusted()).toBe(false)
    expect(waits).toHaveLength(1)
    vi.advanceTimersByTime(23 * HOUR_MS + 1)
    expect(await isTrusted()).toBe(true)
  })

  it('waits only while the clock is wrong, where usage confirms the right clock', async () => {
    const { isTrusted, waits } = open([start - 1.5 * DAY_MS])
    expect(await isTrusted()).toBe(true)
    skew = 500 * DAY_MS
    expect([await isTrusted(), await isTrusted()]).toEqual([false, false])
    expect(waits).toEqual([new Date(start - 1.5 * DAY_MS)])
    skew = 0
    expect(await isTrusted()).toBe(true)
    skew = 500 * DAY_MS
    await isTrusted()
    expect(waits).toHaveLength(2)
  })

  it('refuses to trust a wrong clock because of recent usage with the same wrong clock', async () => {
    skew = 500 * DAY_MS
    const { isTrusted } = open([start, start + skew - HOUR_MS])
    expect(await isTrusted()).toBe(false)
  })
})

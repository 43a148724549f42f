import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchClock } from './clock-watch.ts'

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

const open = () => watchClock(() => new Date(Date.now() + skew))

it('trusts a clock after 24 hours, and before that only times since its start', () => {
  const readClock = open()
  expect(readClock()).toEqual({ isTrusted: false, since: new Date(start) })
  vi.advanceTimersByTime(DAY_MS - 1)
  expect(readClock()).toEqual({ isTrusted: false, since: new Date(start) })
  vi.advanceTimersByTime(1)
  expect(readClock()).toEqual({ isTrusted: true, since: new Date(0) })
})

it.each([
  500 * DAY_MS,
  HOUR_MS,
  -HOUR_MS,
  -500 * DAY_MS,
])('starts the 24 hours again when the clock jumps by %d ms', (jump) => {
  const readClock = open()
  vi.advanceTimersByTime(2 * DAY_MS)
  expect(readClock().isTrusted).toBe(true)
  skew = jump
  expect(readClock()).toEqual({ isTrusted: false, since: new Date(Date.now() + jump) })
  vi.advanceTimersByTime(DAY_MS - 1)
  expect(readClock().isTrusted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(readClock().isTrusted).toBe(true)
})

it('keeps its trust when the clock is set by less than an hour', () => {
  const readClock = open()
  vi.advanceTimersByTime(DAY_MS)
  skew = HOUR_MS - 1
  expect(readClock().isTrusted).toBe(true)
})

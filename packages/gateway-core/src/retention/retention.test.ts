import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRetention, type RetentionOptions } from './retention.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(options: RetentionOptions = {}, skew: () => number = () => 0) {
  const usage: Date[] = []
  const keys: Date[] = []
  const removed: unknown[] = []
  const faults: unknown[] = []
  const retention = createRetention(options, {
    usage: {
      removeBefore: async (before) => {
        usage.push(before)
        return 3
      },
    },
    apiKeys: {
      removeEnded: async (before) => {
        keys.push(before)
        return 0
      },
    },
    images: undefined,
    now: () => new Date(Date.now() + skew()),
    onRemoved: (...what) => removed.push(what),
    onFault: (fault) => faults.push(fault),
  })
  return { retention, usage, keys, removed, faults }
}

describe('the retention', () => {
  it('removes what is older than its days, soon after the start and every hour, until it is closed', async () => {
    const { retention, usage, keys, removed } = open({ usageDays: 30, endedKeyDays: 7 })
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(usage).toEqual([new Date(Date.now() - 30 * DAY_MS)])
    expect(keys).toEqual([new Date(Date.now() - 7 * DAY_MS)])
    expect(removed).toEqual([['usage', 3]])
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(usage).toHaveLength(3)
    await retention.close()
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(usage).toHaveLength(3)
  })

  it('removes nothing at a turn before which the clock jumped ahead', async () => {
    let skew = 0
    const { retention, usage } = open({}, () => skew)
    retention.start()
    skew = 500 * DAY_MS
    await vi.advanceTimersByTimeAsync(10_000)
    skew = 0
    expect(usage).toEqual([])
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(usage).toEqual([new Date(Date.now() - 400 * DAY_MS)])
  })

  it('reports a failure of the store, and tries again an hour later', async () => {
    const { faults } = open()
    let count = 0
    const retention = createRetention(
      {},
      {
        usage: {
          removeBefore: async () => {
            count += 1
            throw new Error('away')
          },
        },
        apiKeys: { removeEnded: async () => 0 },
        images: undefined,
        now: () => new Date(),
        onRemoved: () => undefined,
        onFault: (fault) => faults.push(fault),
      },
    )
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000 + HOUR_MS)
    expect([count, faults.length]).toEqual([2, 2])
    await retention.close()
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d days', (usageDays) => {
    expect(() => open({ usageDays })).toThrow(RangeError)
  })
})

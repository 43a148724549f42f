import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClockTrust } from '../clock-watch.ts'
import { createRetention, type RetentionOptions, type RetentionParts } from './retention.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const trusted = async (): Promise<ClockTrust> => ({ isTrusted: true, since: new Date(0) })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(options: RetentionOptions = {}, clock: RetentionParts['clock'] = trusted) {
  const usage: Date[] = []
  const keys: Date[] = []
  const requests: Date[] = []
  const imageRemovals: (Date | undefined)[][] = []
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
    images: {
      removeExpired: async (...times) => {
        imageRemovals.push(times)
        return 0
      },
    },
    responses: undefined,
    conversations: undefined,
    answers: undefined,
    requestLog: {
      days: 5,
      removeBefore: async (before) => {
        requests.push(before)
        return 0
      },
    },
    now: () => new Date(),
    clock,
    onRemoved: (...what) => removed.push(what),
    onFault: (fault) => faults.push(fault),
  })
  return { retention, usage, keys, requests, imageRemovals, removed, faults }
}

describe('retention', () => {
  it('removes old usage, keys and logged requests 10 seconds after the start and every hour, until it is closed', async () => {
    const { retention, usage, keys, requests, removed } = open({ usageDays: 30, endedKeyDays: 7 })
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(usage).toEqual([new Date(Date.now() - 30 * DAY_MS)])
    expect(keys).toEqual([new Date(Date.now() - 7 * DAY_MS)])
    expect(requests).toEqual([new Date(Date.now() - 5 * DAY_MS)])
    expect(removed).toEqual([['usage', 3]])
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(usage).toHaveLength(3)
    await retention.close()
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    expect(usage).toHaveLength(3)
  })

  it('removes only images that expired since its start while the clock is not trusted', async () => {
    let known: ClockTrust = { isTrusted: false, since: new Date(5) }
    const { retention, usage, keys, imageRemovals } = open({}, async () => known)
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([usage, keys]).toEqual([[], []])
    expect(imageRemovals).toEqual([[new Date(), new Date(5)]])
    known = await trusted()
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(usage).toEqual([new Date(Date.now() - 400 * DAY_MS)])
    expect(imageRemovals.at(-1)).toEqual([new Date(), new Date(0)])
    await retention.close()
  })

  it('removes nothing where the check of the clock fails, and tries again an hour later', async () => {
    const clock = vi.fn(trusted).mockRejectedValueOnce(new Error('The store failed'))
    const { retention, usage, faults } = open({}, clock)
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([usage.length, faults.length]).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(usage).toHaveLength(1)
    await retention.close()
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
            throw new Error('The store failed')
          },
        },
        apiKeys: { removeEnded: async () => 0 },
        images: undefined,
        responses: undefined,
        conversations: undefined,
        answers: undefined,
        requestLog: { days: 30, removeBefore: async () => 0 },
        now: () => new Date(),
        clock: trusted,
        onRemoved: () => undefined,
        onFault: (fault) => faults.push(fault),
      },
    )
    retention.start()
    await vi.advanceTimersByTimeAsync(10_000 + HOUR_MS)
    expect([count, faults.length]).toEqual([2, 2])
    await retention.close()
  })

  it.each([0, -1, 0.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY])('refuses to keep usage for %d days', (usageDays) => {
    expect(() => open({ usageDays })).toThrow(RangeError)
  })
})

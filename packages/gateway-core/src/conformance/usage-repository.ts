import { describe, expect, it } from 'vitest'
import { accountIdOf } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'
import { detailCases } from './usage-details.ts'
import { noUsage, queryAll, summariesOf, usageRecord } from './usage-records.ts'

const ada = 'key-ada' as ApiKeyId // ids are opaque here
const grace = 'key-grace' as ApiKeyId
const noon = Date.UTC(2026, 0, 2, 12)
const DAY = 86_400_000

/** Registers vitest cases for a `UsageRepository`. Each case opens an empty store. */
export function usageRepositoryConformance(open: OpenReplicas<UsageRepository>): void {
  describe('usage repository', () => {
    it('returns no summary without records', async () => {
      const usage = await openOne(open)
      expect(await summariesOf(usage, queryAll())).toEqual([])
      await usage.append([])
      expect(await summariesOf(usage, queryAll({ groupBy: ['key', 'model', 'day'] }))).toEqual([])
      expect(await usage.removeBefore(new Date(noon))).toBe(0)
    })

    it('returns one summary without grouping', async () => {
      const usage = await openOne(open)
      await usage.append([
        usageRecord(1, { keyId: ada, inputTokens: 10, outputTokens: 2 }),
        usageRecord(2, { keyId: grace, inputTokens: 5, outputTokens: 1, partial: true, status: 499 }),
        usageRecord(3, { status: 400, images: 3 }),
        usageRecord(4, { status: 399 }),
      ])
      expect(await summariesOf(usage, queryAll())).toEqual([
        { ...noUsage, requests: 4, failures: 2, partial: 1, inputTokens: 15, outputTokens: 3, images: 3 },
      ])
    })

    it('groups by key, model and day in order, with records without a key first', async () => {
      const usage = await openOne(open)
      await usage.append([
        usageRecord(1, { keyId: grace, model: 'b', inputTokens: 1 }),
        usageRecord(2, { keyId: ada, model: 'b', inputTokens: 2 }),
        usageRecord(3, { keyId: ada, model: 'B', inputTokens: 4 }),
        usageRecord(4, { model: 'b', inputTokens: 8 }),
        usageRecord(5, { keyId: ada, model: 'b', inputTokens: 16, at: new Date(noon + DAY) }),
        usageRecord(6, { keyId: ada, model: 'b', inputTokens: 32 }),
      ])
      const summaries = await summariesOf(usage, queryAll({ groupBy: ['day', 'key', 'model'] }))
      expect(summaries.map(({ keyId, model, day, inputTokens }) => [keyId, model, day, inputTokens])).toEqual([
        [undefined, 'b', '2026-01-02', 8],
        [ada, 'B', '2026-01-02', 4],
        [ada, 'b', '2026-01-02', 34],
        [ada, 'b', '2026-01-03', 16],
        [grace, 'b', '2026-01-02', 1],
      ])
      expect(summaries[0]).not.toHaveProperty('keyId')
    })

    it('groups by key, by model or by day alone', async () => {
      const usage = await openOne(open)
      await usage.append([
        usageRecord(1, { keyId: ada, model: 'x' }),
        usageRecord(2, { keyId: ada, model: 'y' }),
        usageRecord(3, { keyId: grace, model: 'y', at: new Date(noon - DAY) }),
      ])
      expect(await summariesOf(usage, queryAll({ groupBy: ['key'] }))).toEqual([
        { keyId: ada, ...noUsage, requests: 2 },
        { keyId: grace, ...noUsage, requests: 1 },
      ])
      expect(await summariesOf(usage, queryAll({ groupBy: ['model'] }))).toEqual([
        { model: 'x', ...noUsage, requests: 1 },
        { model: 'y', ...noUsage, requests: 2 },
      ])
      expect(await summariesOf(usage, queryAll({ groupBy: ['day'] }))).toEqual([
        { day: '2026-01-01', ...noUsage, requests: 1 },
        { day: '2026-01-02', ...noUsage, requests: 2 },
      ])
    })

    it('includes the start of a period, excludes its end, and splits days at midnight UTC', async () => {
      const usage = await openOne(open)
      const midnight = Date.UTC(2026, 0, 3)
      await usage.append([
        usageRecord(1, { at: new Date(midnight - 1) }),
        usageRecord(2, { at: new Date(midnight) }),
        usageRecord(3, { at: new Date(midnight + DAY - 1) }),
        usageRecord(4, { at: new Date(midnight + DAY) }),
      ])
      const query = { from: new Date(midnight), to: new Date(midnight + DAY), groupBy: ['day'], limit: 10 } as const
      expect(await summariesOf(usage, query)).toMatchObject([{ day: '2026-01-03', requests: 2 }])
      expect(await summariesOf(usage, queryAll({ groupBy: ['day'] }))).toMatchObject([
        { day: '2026-01-02', requests: 1 },
        { day: '2026-01-03', requests: 2 },
        { day: '2026-01-04', requests: 1 },
      ])
    })

    it('summarises the records of one key', async () => {
      const usage = await openOne(open)
      await usage.append([usageRecord(1, { keyId: ada }), usageRecord(2, { keyId: grace }), usageRecord(3)])
      expect(await summariesOf(usage, queryAll({ account: ada, groupBy: ['key'] }))).toMatchObject([
        { keyId: ada, requests: 1 },
      ])
    })

    it('keeps the records of a user of the host apart from those of a key, with ids of any characters', async () => {
      const usage = await openOne(open)
      const long = "ü's%_\\".padEnd(128, '🦉')
      await usage.append([
        usageRecord(1, { keyId: ada, inputTokens: 1 }),
        usageRecord(2, { userId: 'key-ada', inputTokens: 2 }),
        usageRecord(3, { userId: long, inputTokens: 4 }),
        usageRecord(4, { userId: long, inputTokens: 8 }),
        usageRecord(5, { inputTokens: 16 }),
      ])
      const all = await summariesOf(usage, queryAll({ groupBy: ['key'] }))
      expect(all.map(({ keyId, userId, inputTokens }) => [keyId, userId, inputTokens])).toEqual([
        [undefined, undefined, 16],
        [ada, undefined, 1],
        [undefined, 'key-ada', 2],
        [undefined, long, 12],
      ])
      const account = accountIdOf({ userId: long })
      const own = await summariesOf(usage, queryAll({ groupBy: ['key', 'day'], ...(account && { account }) }))
      expect(own).toMatchObject([{ userId: long, requests: 2, inputTokens: 12 }])
    })

    it('returns at most `limit` summaries', async () => {
      const usage = await openOne(open)
      await usage.append(Array.from({ length: 5 }, (_, index) => usageRecord(index, { model: `model-${index}` })))
      const summaries = await summariesOf(usage, queryAll({ groupBy: ['model'], limit: 2 }))
      expect(summaries.map(({ model }) => model)).toEqual(['model-0', 'model-1'])
    })

    it('counts a record once, however many replicas append it', async () => {
      const replica = alternating(await open(3))
      const batch = Array.from({ length: 10 }, (_, index) => usageRecord(index, { inputTokens: 1 }))
      await replica(0).append(batch)
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          replica(index).append([...batch, usageRecord(10 + index, { outputTokens: 1 })]),
        ),
      )
      expect(await summariesOf(replica(2), queryAll())).toMatchObject([
        { requests: 16, inputTokens: 10, outputTokens: 6 },
      ])
    })

    it('accepts a large batch, and sums beyond 32 bits', async () => {
      const usage = await openOne(open)
      const batch = Array.from({ length: 1_000 }, (_, index) =>
        usageRecord(index, { keyId: ada, inputTokens: 2 ** 31 }),
      )
      await usage.append(batch)
      expect(await summariesOf(usage, queryAll({ groupBy: ['key'] }))).toMatchObject([
        { requests: 1_000, inputTokens: 1_000 * 2 ** 31 },
      ])
    })

    it('sums exactly between any two times, also after a removal', async () => {
      const usage = await openOne(open)
      const first = Date.UTC(2026, 0, 2, 22, 59)
      const minute = 60_000
      const records = Array.from({ length: 120 }, (_, index) =>
        usageRecord(index, {
          at: new Date(first + ((index * 7_919) % 4_320) * minute),
          keyId: index % 3 === 0 ? ada : grace,
          model: `model-${index % 4}`,
          inputTokens: 2 ** (index % 20),
          status: index % 5 === 0 ? 500 : 200,
        }),
      )
      await usage.append(records.slice(0, 60))
      await usage.append(records.slice(60))
      const check = async (from: number, to: number, kept: readonly UsageRecord[]) => {
        const own = kept.filter(({ at, keyId }) => at.getTime() >= from && at.getTime() < to && keyId === ada)
        const summaries = await summariesOf(usage, {
          from: new Date(from),
          to: new Date(to),
          account: ada,
          groupBy: ['model'],
          limit: 10,
        })
        const models = [...new Set(own.map(({ model }) => model))].sort()
        expect(summaries.map(({ model, requests, failures, inputTokens }) => [model, requests, failures, inputTokens]))
          // The sums of the single records.
          .toEqual(
            models.map((model) => {
              const some = own.filter((one) => one.model === model)
              const failed = some.filter(({ status }) => status >= 400).length
              return [model, some.length, failed, some.reduce((sum, { inputTokens }) => sum + inputTokens, 0)]
            }),
          )
      }
      const times = [0, 1, 61, 62, 1_501, 1_502, 3_000, 4_400].map((minutes) => first + minutes * minute)
      for (const from of times) for (const to of times) if (from < to) await check(from, to, records)
      const cut = first + 1_600 * minute + 1
      const kept = records.filter(({ at }) => at.getTime() >= cut)
      expect(await usage.removeBefore(new Date(cut))).toBe(records.length - kept.length)
      for (const from of times) for (const to of times) if (from < to) await check(from, to, kept)
    })

    it('returns the time of the newest record before a time', async () => {
      const usage = await openOne(open)
      expect(await usage.newestBefore(new Date(noon))).toBeUndefined()
      await usage.append([0, 2, 1, 3].map((days) => usageRecord(days, { at: new Date(noon + days * DAY) })))
      expect(await usage.newestBefore(new Date(noon))).toBeUndefined()
      expect(await usage.newestBefore(new Date(noon + 1))).toEqual(new Date(noon))
      expect(await usage.newestBefore(new Date(noon + 3 * DAY))).toEqual(new Date(noon + 2 * DAY))
      expect(await usage.newestBefore(new Date(noon + 9 * DAY))).toEqual(new Date(noon + 3 * DAY))
    })

    detailCases(open)

    it('removes the records before a time', async () => {
      const usage = await openOne(open)
      await usage.append([usageRecord(1, { at: new Date(noon - 1) }), usageRecord(2, { at: new Date(noon) })])
      expect(await usage.removeBefore(new Date(noon))).toBe(1)
      expect(await summariesOf(usage, queryAll())).toMatchObject([{ requests: 1 }])
    })
  })
}

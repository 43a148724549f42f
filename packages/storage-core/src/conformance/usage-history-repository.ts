import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { UsageHistoryRepository } from '../usage-history/usage-history-repository.ts'
import {
  rollUpSeconds,
  startOfInterval,
  type UsagePoint,
  type UsageResolution,
  type UsageSample,
  usageResolutions,
} from '../usage-history/usage-point.ts'
import { volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const MINUTE_MS = 60_000
const SECONDS = 300
const midnight = Date.UTC(2026, 0, 2)
const minute = (minutes: number): Date => new Date(midnight + minutes * MINUTE_MS)
const everything = { from: new Date(0), to: minute(1e7) }

const pointsOf = (
  history: UsageHistoryRepository,
  resolution: UsageResolution,
  target?: number,
  volume = volumeId(1),
) => history.list({ volume, resolution, ...everything, ...(target !== undefined && { target }) })

export function usageHistoryRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('usage history repository', () => {
    it('has no points of a target without samples', async () => {
      const { usageHistory } = await openOne(open)
      await usageHistory.record(volumeId(1), minute(0), SECONDS, [])
      for (const resolution of usageResolutions) expect(await pointsOf(usageHistory, resolution, 7)).toEqual([])
      expect(await usageHistory.has(volumeId(1), 7)).toBe(false)
    })

    it('gives each interval of a volume to one claim', async () => {
      const stores = await open(4)
      const claims = await Promise.all(stores.map((store) => store.usageHistory.claim(volumeId(1), minute(5), SECONDS)))
      expect(claims.filter((claim) => claim !== 'taken')).toEqual([{}])
      const history = (await openOne(async () => stores)).usageHistory
      expect(await history.claim(volumeId(2), minute(5), SECONDS)).toEqual({})
      expect(await history.claim(volumeId(1), minute(5), SECONDS)).toBe('taken')
      expect(await history.claim(volumeId(1), minute(10), SECONDS)).toEqual({ previous: minute(5) })
    })

    it('refuses a claim of the interval before, and gives earlier ones to a clock that was set back', async () => {
      const { usageHistory } = await openOne(open)
      await usageHistory.claim(volumeId(1), minute(1000), SECONDS)
      expect(await usageHistory.claim(volumeId(1), minute(995), SECONDS)).toBe('taken')
      expect(await usageHistory.claim(volumeId(1), minute(990), SECONDS)).toEqual({ previous: minute(1000) })
      expect(await usageHistory.claim(volumeId(1), minute(995), SECONDS)).toEqual({ previous: minute(990) })
    })

    it('keeps samples and their roll-ups with the last amount and the most', async () => {
      const { usageHistory } = await openOne(open)
      const record = (minutes: number, sample: UsageSample) =>
        usageHistory.record(volumeId(1), minute(minutes), SECONDS, [sample])
      await record(0, { target: 7, used: 100, files: 3 })
      await record(5, { target: 7, used: 900 })
      await record(40, { target: 7, used: 50, files: 2 })
      expect(await pointsOf(usageHistory, 'sample', 7)).toEqual([
        { at: minute(0), seconds: SECONDS, used: 100, usedPeak: 100, files: 3, filesPeak: 3 },
        { at: minute(5), seconds: SECONDS, used: 900, usedPeak: 900 },
        { at: minute(40), seconds: SECONDS, used: 50, usedPeak: 50, files: 2, filesPeak: 2 },
      ])
      expect(await pointsOf(usageHistory, 'half-hour', 7)).toEqual([
        { at: minute(0), seconds: 1800, used: 900, usedPeak: 900, files: 3, filesPeak: 3 },
        { at: minute(30), seconds: 1800, used: 50, usedPeak: 50, files: 2, filesPeak: 2 },
      ])
      const whole = { at: minute(0), used: 50, usedPeak: 900, files: 2, filesPeak: 3 }
      expect(await pointsOf(usageHistory, 'two-hours', 7)).toEqual([{ ...whole, seconds: 7200 }])
      expect(await pointsOf(usageHistory, 'day', 7)).toEqual([{ ...whole, seconds: 86_400 }])
    })

    it('keeps the size of a volume apart from its targets and from other volumes', async () => {
      const { usageHistory } = await openOne(open)
      const whole = { used: 2 ** 52, size: Number.MAX_SAFE_INTEGER, available: 0 }
      await usageHistory.record(volumeId(1), minute(0), SECONDS, [{ target: 0, used: 0, files: 0 }, whole])
      await usageHistory.record(volumeId(2), minute(0), SECONDS, [{ used: 1, size: 2, available: 1 }])
      const interval = { at: minute(0), seconds: SECONDS }
      expect(await pointsOf(usageHistory, 'sample')).toEqual([{ ...interval, ...whole, usedPeak: 2 ** 52 }])
      expect(await pointsOf(usageHistory, 'sample', 0)).toEqual([
        { ...interval, used: 0, usedPeak: 0, files: 0, filesPeak: 0 },
      ])
      expect(await usageHistory.has(volumeId(1), 0)).toBe(true)
      expect(await usageHistory.has(volumeId(2), 0)).toBe(false)
    })

    it('lists the points of a range, both ends included', async () => {
      const { usageHistory } = await openOne(open)
      for (const minutes of [10, 0, 5, 15]) {
        await usageHistory.record(volumeId(1), minute(minutes), SECONDS, [{ target: 1, used: minutes }])
      }
      const range = { volume: volumeId(1), target: 1, resolution: 'sample', from: minute(5), to: minute(10) } as const
      expect((await usageHistory.list(range)).map(({ used }) => used)).toEqual([5, 10])
    })

    it('keeps thousands of targets of one sample, whose number may be as large as an index', async () => {
      const { usageHistory } = await openOne(open)
      const indexOf = (target: number) => 2 ** 52 - 1 - target * 7919
      const samples = Array.from({ length: 2500 }, (_, target) => ({ target: indexOf(target), used: target * 4096 }))
      await usageHistory.record(volumeId(1), minute(0), SECONDS, samples)
      await usageHistory.record(volumeId(1), minute(5), SECONDS, samples.toReversed())
      for (const target of [0, 63, 64, 1024, 2499]) {
        const used = target * 4096
        expect(await pointsOf(usageHistory, 'day', indexOf(target))).toMatchObject([{ used, usedPeak: used }])
        expect(await pointsOf(usageHistory, 'sample', indexOf(target))).toHaveLength(2)
      }
    })

    it('changes nothing when several processes record the same samples', async () => {
      const stores = await open(4)
      const samples = Array.from({ length: 100 }, (_, target) => ({ target, used: target, files: 1 }))
      await Promise.all(stores.map((store) => store.usageHistory.record(volumeId(1), minute(0), SECONDS, samples)))
      const storeAt = alternating(stores)
      for (const target of [0, 50, 99]) {
        const { usageHistory } = storeAt(target)
        for (const resolution of usageResolutions) {
          expect(await pointsOf(usageHistory, resolution, target)).toMatchObject([
            { used: target, usedPeak: target, files: 1, filesPeak: 1 },
          ])
        }
      }
    })

    it('loses no sample of processes that record different targets of a volume', async () => {
      const stores = await open(4)
      await Promise.all(
        stores.map(({ usageHistory }, index) =>
          usageHistory.record(volumeId(1), minute(index * 5), SECONDS, [
            { target: index, used: 1 },
            { target: 99, used: 10 + index },
          ]),
        ),
      )
      const { usageHistory } = await openOne(async () => stores)
      for (const target of stores.keys()) expect(await pointsOf(usageHistory, 'day', target)).toHaveLength(1)
      expect(await pointsOf(usageHistory, 'day', 99)).toMatchObject([{ usedPeak: 9 + stores.length }])
      expect(await pointsOf(usageHistory, 'sample', 99)).toHaveLength(stores.length)
    })

    it('removes the oldest interval of one resolution at a time', async () => {
      const { usageHistory } = await openOne(open)
      for (const minutes of [0, 5, 10]) {
        for (const volume of [1, 2]) {
          await usageHistory.record(volumeId(volume), minute(minutes), SECONDS, [{ target: 1, used: minutes }])
        }
      }
      expect(await usageHistory.removeOldest('sample', minute(0))).toBe(false)
      expect(await usageHistory.removeOldest('sample', minute(10))).toBe(true)
      expect((await pointsOf(usageHistory, 'sample', 1)).map(({ used }) => used)).toEqual([5, 10])
      expect((await pointsOf(usageHistory, 'sample', 1, volumeId(2))).map(({ used }) => used)).toEqual([5, 10])
      expect(await usageHistory.removeOldest('sample', minute(10))).toBe(true)
      expect(await usageHistory.removeOldest('sample', minute(10))).toBe(false)
      expect(await pointsOf(usageHistory, 'day', 1)).toHaveLength(1)
    })

    it('removes targets without samples, and begins again with one that returns', async () => {
      const { usageHistory } = await openOne(open)
      const day = 24 * 60
      await usageHistory.record(volumeId(1), minute(0), SECONDS, [
        { target: 1, used: 1 },
        { target: 2, used: 2 },
      ])
      await usageHistory.record(volumeId(1), minute(day), SECONDS, [{ target: 2, used: 3 }])
      expect(await usageHistory.removeTargets(minute(day))).toBe(false)
      expect(await usageHistory.has(volumeId(1), 1)).toBe(false)
      expect((await pointsOf(usageHistory, 'sample', 2)).map(({ used }) => used)).toEqual([2, 3])
      while (await usageHistory.removeOldest('sample', minute(day)));
      await usageHistory.record(volumeId(1), minute(2 * day), SECONDS, [{ target: 1, used: 9 }])
      expect((await pointsOf(usageHistory, 'sample', 1)).map(({ used }) => used)).toEqual([9])
    })

    it('rolls up as an evaluation of all samples does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryRecord, { maxLength: 40 }), async (records) => {
          const { usageHistory } = await openOne(open)
          for (const { turn, samples } of records) {
            await usageHistory.record(volumeId(1), minute(turn * 5), SECONDS, samples)
          }
          for (const target of [undefined, 1, 2, 3]) {
            for (const resolution of usageResolutions) {
              expect(await pointsOf(usageHistory, resolution, target)).toEqual(evaluate(records, target, resolution))
            }
          }
        }),
        { numRuns: 8 },
      )
    }, 120_000)
  })
}

interface RecordedSamples {
  readonly turn: number
  readonly samples: readonly UsageSample[]
}

const amount = fc.nat({ max: Number.MAX_SAFE_INTEGER })

const arbitraryRecord: fc.Arbitrary<RecordedSamples> = fc.record({
  turn: fc.nat({ max: 800 }),
  samples: fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(undefined, 1, 2, 3), amount, fc.option(amount, { nil: undefined }))
      .map(([target, used, files]) => ({
        used,
        ...(target === undefined ? { size: used, available: 0 } : { target, ...(files !== undefined && { files }) }),
      })),
    { selector: ({ target }: UsageSample) => target ?? 'volume' },
  ),
})

/** Evaluates all samples of a target again for each interval. */
function evaluate(
  records: readonly RecordedSamples[],
  target: number | undefined,
  resolution: UsageResolution,
): readonly UsagePoint[] {
  const seconds = resolution === 'sample' ? SECONDS : rollUpSeconds[resolution]
  const samples = records.flatMap((record) =>
    record.samples
      .filter((sample) => sample.target === target)
      .map((sample) => ({ ...sample, at: startOfInterval(minute(record.turn * 5), seconds).getTime() })),
  )
  return [...Map.groupBy(samples, ({ at }) => at)]
    .sort(([left], [right]) => left - right)
    .map(([at, inside]) => {
      const last = inside.at(-1)
      const counts = inside.flatMap(({ files }) => files ?? [])
      return {
        at: new Date(at),
        seconds,
        used: last?.used ?? 0,
        usedPeak: Math.max(...inside.map(({ used }) => used)),
        ...(counts.length > 0 && { files: counts.at(-1) ?? 0, filesPeak: Math.max(...counts) }),
        ...(last?.size !== undefined && { size: last.size, available: last.available ?? 0 }),
      }
    })
}

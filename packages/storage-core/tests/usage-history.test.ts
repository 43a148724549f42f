import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it } from 'vitest'
import { createEvents } from '../src/events/create-events.ts'
import { type VolumeBackend, VolumeRefusal } from '../src/ports.ts'
import type { QuotaReport } from '../src/quota-reports/quota-report.ts'
import type { UsagePeriod } from '../src/usage-history/usage-history.ts'
import { createUsageSampler } from '../src/usage-history/usage-sampler.ts'
import type { VolumeUsage } from '../src/usage-history/volume-usage.ts'
import { createManualTime, type ManualTime } from './manual-time.ts'
import { createQtree, MiB, type OpenStorage, type OpenStorageOptions, openStorage, setQuota } from './open-storage.ts'

const everySeconds = { historySeconds: 300, lookSeconds: 1e6, inspectSeconds: 1e6, usageSeconds: 1e6 }
const START = Date.UTC(2026, 0, 2, 0, 0, 0)
const minute = (minutes: number): Date => new Date(START + minutes * 60_000)

const openAt = (time: ManualTime, options: OpenStorageOptions = {}): Promise<OpenStorage> =>
  openStorage({ ...everySeconds, clock: time.clock, scheduler: time.scheduler, ...options })

const ofVolume = async ({ storage, vol1 }: OpenStorage, period: UsagePeriod = 'hour') =>
  (await storage.usageHistory.ofVolume(vol1.uuid, period))._unsafeUnwrap()

const reportOf = async ({ storage, vol1 }: OpenStorage, qtree: string): Promise<QuotaReport> => {
  const reports = (await storage.quotaReports.ofVolume(vol1))._unsafeUnwrap()
  const found = reports.find((report) => report.qtree?.name === qtree)
  if (!found) throw new Error(`There is no report of ${qtree}`)
  return found
}

/** Opens a storage with real timers, two qtrees and quotas, whose repositories the next one uses with a manual clock. */
async function prepared(options: OpenStorageOptions = {}): Promise<OpenStorage> {
  const opened = await openStorage(options)
  for (const name of ['qt1', 'qt2']) await createQtree(opened, name)
  const rule = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'tree', qtree: '' } as const
  ;(await opened.storage.quotaRules.create({ ...rule, limits: { spaceHard: 64 * MiB } }))._unsafeUnwrap()
  await setQuota(opened, true)
  await opened.storage.close()
  return opened
}

describe('the history of usage', () => {
  it('has a sample of each interval, with targets of a default rule', async () => {
    const { repositories, volume } = await prepared()
    const time = createManualTime(START + 30_000)
    const opened = await openAt(time, { repositories, volume })
    await time.run(1)
    volume.files.write('qt1/a', { size: 4 * MiB })
    await time.run(600)
    const points = await ofVolume(opened)
    expect(points.map(({ at, seconds }) => [at, seconds])).toEqual([
      [minute(0), 300],
      [minute(5), 300],
      [minute(10), 300],
    ])
    expect(points[0]?.size).toBe(points[0]?.used === undefined ? 0 : (points[0].available ?? 0) + points[0].used)
    const { index } = await reportOf(opened, 'qt1')
    const target = (await opened.storage.usageHistory.ofReport(opened.vol1.uuid, index, 'hour'))._unsafeUnwrap()
    expect(target.map(({ used }) => used)).toEqual([0, 4 * MiB, 4 * MiB])
    expect(opened.faults).toEqual([])
  })

  it('has roll-ups of a week that include the present interval', async () => {
    const time = createManualTime(START)
    const opened = await openAt(time)
    await time.run(3000)
    const week = await ofVolume(opened, 'week')
    expect(week.map(({ at, seconds }) => [at, seconds])).toEqual([
      [minute(0), 1800],
      [minute(30), 1800],
    ])
    expect(await ofVolume(opened, 'month')).toHaveLength(1)
    expect(await ofVolume(opened, 'year')).toMatchObject([{ seconds: 86_400 }])
    expect(await ofVolume(opened, 'day')).toHaveLength(11)
  })

  it('samples a volume once in an interval when two processes have it', async () => {
    const repositories = memoryStorageRepositories()
    const time = createManualTime(START)
    let reads = 0
    const counted = (volume: VolumeBackend): VolumeBackend => ({
      ...volume,
      space: () => {
        reads += 1
        return volume.space()
      },
    })
    const first = await openAt(time, { repositories, backend: counted })
    const second = await openAt(time, { repositories, backend: counted, volume: first.volume })
    await time.run(1200)
    expect(reads).toBe(5)
    expect(await ofVolume(second)).toHaveLength(5)
    await first.storage.close()
    await time.run(300)
    expect(await ofVolume(second)).toHaveLength(6)
  })

  it('continues after a restart in the same interval', async () => {
    const time = createManualTime(START)
    const first = await openAt(time)
    await time.run(10)
    await first.storage.close()
    const second = await openAt(time, { repositories: first.repositories, volume: first.volume })
    await time.run(290)
    expect((await ofVolume(second)).map(({ at }) => at)).toEqual([minute(0), minute(5)])
  })

  it('continues after a clock was set back, without the samples of the time that has not come', async () => {
    const time = createManualTime(START + 86_400_000)
    const first = await openAt(time)
    await time.run(10)
    await first.storage.close()
    const early = createManualTime(START)
    const second = await openAt(early, { repositories: first.repositories, volume: first.volume })
    await early.run(600)
    expect((await ofVolume(second, 'day')).map(({ at }) => at)).toEqual([minute(0), minute(5), minute(10)])
  })

  it('has no gap-filling points for a volume that was unavailable', async () => {
    const time = createManualTime(START)
    let isMounted = true
    const backend = (volume: VolumeBackend): VolumeBackend => ({
      ...volume,
      space: async () => {
        if (!isMounted) throw new VolumeRefusal('failed', 'not mounted')
        return volume.space()
      },
    })
    const opened = await openAt(time, { backend })
    await time.run(10)
    isMounted = false
    await time.run(300)
    isMounted = true
    await time.run(300)
    expect((await ofVolume(opened)).map(({ at }) => at)).toEqual([minute(0), minute(10)])
    expect(opened.faults).toEqual([])
  })

  it('has only the space of a volume whose quotas are off, and keeps the history of what is no longer reported', async () => {
    const { repositories, volume } = await prepared()
    const time = createManualTime(START)
    const opened = await openAt(time, { repositories, volume })
    await time.run(10)
    const { index } = await reportOf(opened, 'qt2')
    await repositories.volumes.changeQuotaState(opened.vol1.uuid, ['on'], 'off')
    await time.run(300)
    expect(await ofVolume(opened)).toHaveLength(2)
    const { usageHistory } = opened.storage
    expect((await usageHistory.ofReport(opened.vol1.uuid, index, 'hour'))._unsafeUnwrap()).toHaveLength(1)
    const missing = await usageHistory.ofReport(opened.vol1.uuid, index + 1, 'hour')
    expect(missing._unsafeUnwrapErr().type).toBe('quota-report-not-found')
    expect((await usageHistory.ofVolume('x', 'hour'))._unsafeUnwrapErr().type).toBe('volume-uuid-not-found')
  })

  it('records nothing by default', async () => {
    const opened = await openStorage()
    expect(await ofVolume(opened)).toEqual([])
    expect(opened.emitted.some(([name]) => name === 'usage.sampled')).toBe(false)
  })

  it('continues when the store has failed for a while', async () => {
    const repositories = memoryStorageRepositories()
    const time = createManualTime(START)
    let fails = false
    const usageHistory = {
      ...repositories.usageHistory,
      record: async (...sample: Parameters<typeof repositories.usageHistory.record>) => {
        if (fails) throw new Error('connection refused')
        await repositories.usageHistory.record(...sample)
      },
    }
    const opened = await openAt(time, { repositories: { ...repositories, usageHistory } })
    await time.run(10)
    fails = true
    await time.run(300)
    fails = false
    await time.run(300)
    expect((await ofVolume(opened)).map(({ at }) => at)).toEqual([minute(0), minute(10)])
    expect(opened.faults.length).toBeGreaterThan(0)
  })
})

describe('a sampler', () => {
  /** Makes a sampler of a volume whose clock is trusted or not. */
  async function sampler(trust: { isTrusted: boolean; since: number }, days = 400) {
    const time = createManualTime(START)
    const { repositories, storage, vol1 } = await openStorage({ clock: time.clock })
    const sampled: (VolumeUsage | undefined)[] = []
    const { events, emit } = createEvents(() => undefined)
    events.on('usage.sampled', (_, usage) => sampled.push(usage))
    const made = createUsageSampler({
      repositories,
      volumes: storage.volumes,
      quotaReports: storage.quotaReports,
      now: time.clock.now,
      clock: () => ({ isTrusted: trust.isTrusted, since: new Date(trust.since) }),
      seconds: 300,
      days,
      emit,
    })
    const countOf = async (resolution: 'sample' | 'half-hour' | 'two-hours' | 'day') =>
      (await repositories.usageHistory.list({ volume: vol1.uuid, resolution, from: new Date(0), to: new Date(1e14) }))
        .length
    return { sample: () => made.sample(vol1), removeOld: made.removeOld, time, countOf, trust, sampled }
  }

  it('keeps samples for a day, and roll-ups for 7, 31 and the given number of days', async () => {
    const { sample, removeOld, time, countOf } = await sampler({ isTrusted: true, since: 0 }, 60)
    for (let hour = 0; hour < 24 * 65; hour += 1) {
      await sample()
      await removeOld()
      time.clock.advance(3600)
    }
    expect(await countOf('sample')).toBe(24 + 3)
    expect(await countOf('half-hour')).toBe(7 * 24 + 3)
    expect(await countOf('two-hours')).toBe(31 * 12 + 1)
    expect(await countOf('day')).toBe(60)
  })

  it('removes nothing with a clock that has jumped, until it is trusted', async () => {
    const { sample, removeOld, time, countOf, trust } = await sampler({ isTrusted: false, since: 1 })
    await sample()
    time.clock.advance(86_400 * 500)
    trust.since = 2
    await sample()
    await removeOld()
    expect(await countOf('sample')).toBe(2)
    trust.isTrusted = true
    await removeOld()
    expect(await countOf('sample')).toBe(1)
  })

  it('removes what is old after a start whose clock follows the samples before', async () => {
    const { sample, removeOld, time, countOf, trust } = await sampler({ isTrusted: false, since: 1 })
    await sample()
    time.clock.advance(86_400 * 3)
    await sample()
    await removeOld()
    expect(await countOf('sample')).toBe(1)
    time.clock.advance(86_400 * 3)
    trust.since = 3
    await sample()
    await removeOld()
    expect(await countOf('sample')).toBe(2)
  })

  it('reports that another process has sampled an interval', async () => {
    const { sample, sampled } = await sampler({ isTrusted: true, since: 0 })
    await sample()
    await sample()
    expect(sampled).toEqual([{ space: expect.anything(), reports: [] }, undefined])
  })
})

import type { UsageResolution, VolumeId } from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { allDatabases } from '../../tests/test-databases.ts'
import { migrateStorage } from './migrate-storage.ts'
import { sqlUsageHistory } from './sql-usage-history.ts'

const DAY_MS = 86_400_000
const end = Date.UTC(2026, 5, 1)
// Ids are opaque to repositories.
const volume = '00000000-0000-4000-8000-000000000000' as VolumeId
const TARGETS = 65

const keptDays = [
  ['sample', 1],
  ['half-hour', 7],
  ['two-hours', 31],
  ['day', 365],
] as const satisfies readonly (readonly [UsageResolution, number])[]

it.each(
  allDatabases.filter(({ name }) => /sqlite/i.test(name)),
)('keeps a year of 65 targets in two rows for each interval, on $name', async ({ create }) => {
  const fresh = await create()
  onTestFinished(() => fresh.remove())
  const database = await fresh.open()
  await migrateStorage(database)
  const history = sqlUsageHistory(database)
  const samples = Array.from({ length: TARGETS }, (_, target) => ({ target, used: target * 4096, files: target }))
  const record = async (time: number) => {
    await history.record(volume, new Date(time), 1800, samples)
    for (const [resolution, days] of keptDays) {
      while (await history.removeOldest(resolution, new Date(time - days * DAY_MS)));
    }
  }
  for (let time = end - 400 * DAY_MS; time < end - 8 * DAY_MS; time += DAY_MS) await record(time)
  for (let time = end - 8 * DAY_MS; time <= end; time += DAY_MS / 12) await record(time)

  const intervals = new Map<UsageResolution, number>()
  for (const [resolution] of keptDays) {
    const all = { volume, target: 64, resolution, from: new Date(0), to: new Date(end) }
    const points = await history.list(all)
    expect(points.every(({ used, usedPeak, files }) => used === 64 * 4096 && usedPeak === used && files === 64)).toBe(
      true,
    )
    intervals.set(resolution, points.length)
  }
  expect([...intervals.values()]).toEqual([13, 7 * 12 + 1, 8 * 12 + 1 + 23, 366])
  const { rows } = await sql<{ count: number }>`select count(*) as count from storage_usage_points`.execute(
    database.kysely,
  )
  const expected = [...intervals.values()].reduce((sum, count) => sum + 2 * count, 0)
  expect(Number(rows[0]?.count)).toBe(expected)
}, 120_000)

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import type { UsageHistoryRepository, UsageResolution, UsageSample, VolumeId } from '@trivium/storage-core/ports'
import { percentile } from '../spread.ts'

export const about = 'a year of the usage of 10,000 quota targets on SQLite (--targets)'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SAMPLE_SECONDS = 300
const SAMPLE_MS = SAMPLE_SECONDS * 1000
const end = Date.UTC(2026, 5, 1)
// Ids are opaque to repositories.
const volume = '00000000-0000-4000-8000-000000000000' as VolumeId

/** Each resolution with its period, and the interval at which that part of the year is sampled here. */
const parts = [
  { resolution: 'day', days: 365, everyMs: DAY_MS },
  { resolution: 'two-hours', days: 31, everyMs: 2 * HOUR_MS },
  { resolution: 'half-hour', days: 7, everyMs: HOUR_MS / 2 },
  { resolution: 'sample', days: 1, everyMs: SAMPLE_MS },
] as const satisfies readonly { resolution: UsageResolution; days: number; everyMs: number }[]

/**
 * Fills the history as a year of samples leaves it, and measures the file, the queries and further samples. Only those
 * samples are recorded that have an interval of their own in what is kept.
 */
export default async function history(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { targets: { type: 'string', default: '10000' } } })
  const targets = Number(values.targets)
  const directory = await mkdtemp(join(tmpdir(), 'trivium-history-'))
  const file = join(directory, 'history.sqlite')
  const database = await openDatabase(`sqlite:${file}`)
  try {
    await migrateStorage(database)
    const { usageHistory } = sqlStorageRepositories(database)
    const started = performance.now()
    const samples = await fill(usageHistory, targets)
    console.log(`${samples} samples of ${targets} targets in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    await measureSamples(usageHistory, targets)
    await measureQueries(usageHistory, targets)
  } finally {
    await database.close()
  }
  const { size } = await stat(file)
  console.log(`file: ${(size / 2 ** 20).toFixed(0)} MiB, ${(size / targets / 1024).toFixed(1)} KiB for each target`)
  await rm(directory, { recursive: true })
}

/** The index of a report has up to 52 bits. */
const indexOf = (target: number): number => target * 400_000_000_019

function samplesAt(time: number, targets: number): readonly UsageSample[] {
  const turn = time / SAMPLE_MS
  return Array.from({ length: targets }, (_, target) => ({
    target: indexOf(target),
    used: 4096 * ((target * 2_654_435_761 + turn * (target % 97)) % 10_000_000),
    files: (target * 40_503 + turn) % 100_000,
  }))
}

async function fill(history: UsageHistoryRepository, targets: number): Promise<number> {
  let samples = 0
  for (const [index, { days, everyMs }] of parts.entries()) {
    const until = end - (parts[index + 1]?.days ?? 0) * DAY_MS
    for (let time = end - days * DAY_MS; time < until; time += everyMs) {
      await history.record(volume, new Date(time), SAMPLE_SECONDS, samplesAt(time, targets))
      await removeOld(history, time)
      samples += 1
    }
  }
  return samples
}

async function removeOld(history: UsageHistoryRepository, time: number): Promise<void> {
  for (const { resolution, days } of parts) {
    const before = new Date(time - days * DAY_MS - 2 * HOUR_MS)
    while (await history.removeOldest(resolution, before));
  }
}

/** Measures a sample of every target with the removal after it, and how long it holds the process. */
async function measureSamples(history: UsageHistoryRepository, targets: number): Promise<void> {
  const times: number[] = []
  const held = monitorEventLoopDelay({ resolution: 1 })
  const idle = setInterval(() => undefined, 1)
  for (let turn = 0; turn < 50; turn += 1) {
    const time = end + turn * SAMPLE_MS
    const samples = samplesAt(time, targets)
    held.enable()
    await setTimeout(5)
    const started = performance.now()
    await history.record(volume, new Date(time), SAMPLE_SECONDS, samples)
    await removeOld(history, time)
    times.push(performance.now() - started)
    await setTimeout(5)
    held.disable()
  }
  clearInterval(idle)
  const longest = (held.max / 1e6).toFixed(0)
  console.log(`a sample: p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`)
  console.log(`the process is held for at most ${longest} ms`)
}

async function measureQueries(history: UsageHistoryRepository, targets: number): Promise<void> {
  const to = new Date(end + 50 * SAMPLE_MS)
  for (const { resolution, days } of parts) {
    const times: number[] = []
    let points = 0
    for (let turn = 0; turn < 200; turn += 1) {
      const target = indexOf((turn * 7919) % targets)
      const from = new Date(to.getTime() - days * DAY_MS)
      const started = performance.now()
      points = (await history.list({ volume, target, resolution, from, to })).length
      times.push(performance.now() - started)
    }
    const [p50, p95, longest] = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)]
    console.log(
      `${resolution}, ${points} points: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, at most ${longest.toFixed(1)} ms`,
    )
  }
}

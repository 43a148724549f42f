import { okAsync } from 'neverthrow'
import { expect, it } from 'vitest'
import { aJob, aVolume, ruleId } from '../conformance/records.ts'
import { createEvents } from '../events/create-events.ts'
import type { EnforceGraceTask } from '../jobs/job-task.ts'
import { memoryStorageRepositories } from '../memory/memory-storage-repositories.ts'
import type { Notice } from '../notices/notice.ts'
import type { WatchedReport } from '../quota-reports/watched-reports.ts'
import { createQuotaWatch, MAXIMUM_LIMIT_STATES } from './quota-watch.ts'

const volume = aVolume(1, { quotaState: 'on' })

function aReport(id: number): WatchedReport {
  const grace = { periodSeconds: 60, enforcedBy: 'watcher', hasEnded: false } as const
  return {
    svm: volume.svm,
    volume: { uuid: volume.uuid, name: volume.name },
    index: id,
    type: 'user',
    users: [{ id: String(id) }],
    limits: { spaceSoft: 1024 },
    used: { space: 2048 },
    isDefault: false,
    quota: { rule: ruleId(1), target: { type: 'user', users: [{ name: '' }] }, limits: { spaceSoft: 1024 } },
    target: { kind: 'every-user' },
    principal: { id: String(id) },
    watched: { space: { grace, thresholds: [], reachedThresholds: [] } },
  }
}

async function watch(reports: readonly WatchedReport[]) {
  const repositories = memoryStorageRepositories()
  await repositories.volumes.register(volume)
  const published: Notice[] = []
  const emitted: unknown[] = []
  const { events, emit } = createEvents((error) => emitted.push(error))
  events.on('quota.limits-unwatched', (...values) => emitted.push(values))
  const tasks: EnforceGraceTask[] = []
  let time = Date.UTC(2026, 0, 2)
  const compare = createQuotaWatch({
    repositories,
    reports: { forWatch: () => okAsync(reports) },
    jobs: {
      submit: async ({ task }) => {
        if (task.kind === 'enforce-grace') tasks.push(task)
        return aJob(1)
      },
    },
    publish: async (notice) => {
      published.push(notice)
    },
    emit,
    now: () => new Date(time),
    hysteresis: 1,
  })
  const after = (seconds: number) => {
    time += seconds * 1000
    return compare(volume)
  }
  return { after, published, emitted, tasks, states: () => repositories.limitStates.list(volume.uuid) }
}

it('createQuotaWatch keeps 10,000 states of a volume, and reports the number of further limits once', async () => {
  const reports = Array.from({ length: MAXIMUM_LIMIT_STATES + 7 }, (_, index) => aReport(index + 1))
  const { after, published, emitted, states } = await watch(reports)
  for (let turn = 0; turn < 2; turn += 1) await after(1)
  expect(published).toHaveLength(MAXIMUM_LIMIT_STATES)
  expect(await states()).toHaveLength(MAXIMUM_LIMIT_STATES)
  expect(emitted).toEqual([[{ uuid: volume.uuid, name: volume.name }, { count: 7 }]])
})

it('createQuotaWatch returns the end of the next grace period, and enforces many limits in several jobs', async () => {
  const { after, published, tasks } = await watch(Array.from({ length: 1200 }, (_, index) => aReport(index + 1)))
  expect(await after(0)).toEqual(new Date(Date.UTC(2026, 0, 2) + 60_000))
  expect(await after(60)).toBeUndefined()
  expect(published.filter(({ kind }) => kind === 'grace-ended')).toHaveLength(1200)
  expect(tasks.map(({ targets }) => targets.length)).toEqual([500, 500, 200])
  expect(tasks[0]?.targets[0]).toEqual({ target: { kind: 'users', users: [{ id: '1' }] } })
  expect(new Set(published.map(({ id }) => id)).size).toBe(2400)
})

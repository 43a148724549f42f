import type { GaugeValue, MetricsRecorder } from '@trivium/storage-core/ports'
import { describe, expect, it } from 'vitest'
import { createManualTime } from './manual-time.ts'
import { createQtree, MiB, openStorage, setQuota, until } from './open-storage.ts'
import { openReceiver, status } from './receiver.ts'

/** Keeps values like a recorder for Prometheus: sums of counters, and the last values of gauges. */
function createRecorder() {
  const values: Record<string, number> = {}
  const recorder: MetricsRecorder = {
    record: ({ name, kind }, value, labels) => {
      const key = [name.replace('trivium.storage.', ''), ...Object.values(labels)].join(' ')
      values[key] = kind === 'counter' ? (values[key] ?? 0) + value : value
    },
  }
  return { values, recorder }
}

describe('a storage', () => {
  it('records the numbers of ended, stored and removed jobs', async () => {
    const { values, recorder } = createRecorder()
    const first = await openStorage({ jobRetentionSeconds: 60 })
    for (const name of ['a', 'b']) await createQtree(first, name)
    await first.storage.close()

    const open = await openStorage({
      repositories: first.repositories,
      volume: first.volume,
      clock: first.clock,
      jobRetentionSeconds: 60,
      metrics: recorder,
    })
    await until(() => values['job.kept'] !== undefined)
    expect(values['job.kept']).toBeGreaterThanOrEqual(2)
    await createQtree(open, 'c')
    expect(values['job.ended success']).toBeGreaterThanOrEqual(1)
    open.clock.advance(61)
    await until(async () => (await open.repositories.jobs.count({ all: [] })) === 0)
    await until(() => (values['retention.removed jobs'] ?? 0) >= 3)
    expect(open.faults).toEqual([])
  })

  it('records the number of expired clone tokens', async () => {
    const { values, recorder } = createRecorder()
    const { storage, clock, vol1 } = await openStorage({ metrics: recorder })
    await storage.cloneTokens.create({ node: vol1.node.uuid, reserveSize: 1, lifetimeSeconds: 5 })
    clock.advance(6)
    await until(() => values['retention.removed clone-tokens'] === 1)
  })

  it('records the numbers of notices, and of tries to deliver them', async () => {
    const { values, recorder } = createRecorder()
    const receiver = await openReceiver(status(500))
    const { storage, clock } = await openStorage({ metrics: recorder })
    ;(await storage.webhooks.create({ url: receiver.url }))._unsafeUnwrap()
    await storage.notices.publish({ id: 'n1', kind: 'grace-ended', at: clock.now() })
    await until(() => values['webhook.tries failed'] === 1)
    receiver.answerWith(status(204))
    clock.advance(3600)
    await until(() => values['webhook.tries delivered'] === 1)
    expect(values['notice.published grace-ended']).toBe(1)
  })

  it('counts no jobs in the store without a recorder', async () => {
    let counts = 0
    const { repositories } = await openStorage()
    const jobs = {
      ...repositories.jobs,
      count: async () => {
        counts += 1
        return 0
      },
    }
    await createQtree(await openStorage({ repositories: { ...repositories, jobs } }), 'a')
    expect(counts).toBe(0)
  })

  it('replaces the gauges of its volumes and largest targets after each sample', async () => {
    const first = await openStorage()
    for (const name of ['small', 'large', 'other']) await createQtree(first, name)
    const rule = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'tree' } as const
    const made = await first.storage.quotaRules.create({ ...rule, qtree: '', limits: { spaceHard: 64 * MiB } })
    expect(made.isOk()).toBe(true)
    await setQuota(first, true)
    first.volume.files.write('large/a', { size: 8 * MiB })
    first.volume.files.write('small/a', { size: 4 * MiB })
    await first.storage.close()

    const gauges = new Map<string, readonly GaugeValue[]>()
    const recorder: MetricsRecorder = {
      record: () => undefined,
      replace: ({ name }, values) => gauges.set(name.replace('trivium.storage.', ''), values),
    }
    const { clock, scheduler, run } = createManualTime()
    const { repositories, volume } = first
    const options = { clock, scheduler, metrics: recorder, historySeconds: 300, metricTargets: 1 }
    await openStorage({ repositories, volume, lookSeconds: 3600, ...options })
    await run(1)
    const vol1 = { svm: 'svm1', volume: 'vol1' }
    const large = { ...vol1, type: 'tree', target: 'large' }
    expect(gauges.get('quota.used')).toEqual([{ value: 8 * MiB, labels: large }])
    expect(gauges.get('quota.hard.limit')).toEqual([{ value: 64 * MiB, labels: large }])
    expect(gauges.get('quota.soft.limit')).toEqual([])
    expect(gauges.get('quota.omitted')).toContainEqual({ value: 2, labels: vol1 })
    expect(gauges.get('volume.quotas')).toContainEqual({ value: 1, labels: { ...vol1, state: 'on' } })
    expect(gauges.get('volume.size')).toHaveLength(2)
    volume.files.write('small/b', { size: 16 * MiB })
    await run(300)
    expect(gauges.get('quota.used')).toEqual([{ value: 20 * MiB, labels: { ...large, target: 'small' } }])
  })
})

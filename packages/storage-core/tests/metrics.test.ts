import type { MetricsRecorder } from '@trivium/storage-core/ports'
import { describe, expect, it } from 'vitest'
import { createQtree, openStorage, until } from './open-storage.ts'

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
})

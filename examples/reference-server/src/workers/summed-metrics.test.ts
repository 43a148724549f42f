import type { MetricDefinition } from '@trivium/gateway-core/ports'
import { expect, it } from 'vitest'
import { type MetricsSnapshot, prometheusMetrics } from '../metrics/prometheus.ts'
import { summedMetrics, type WorkerMetrics } from './summed-metrics.ts'

const requests: MetricDefinition = { name: 'requests', kind: 'counter', description: 'r', unit: '1', labels: ['model'] }
const open: MetricDefinition = { name: 'open', kind: 'gauge', description: 'o', unit: '1', labels: [] }
const seconds: MetricDefinition = {
  ...{ name: 'duration', kind: 'histogram', description: 'd', unit: 's', labels: [] },
  buckets: [1, 10],
}

/** A worker that has counted so much, until it dies. */
function worker(count: number) {
  const metrics = prometheusMetrics()
  metrics.recorder.record(requests, count, { model: 'm' })
  metrics.recorder.record(open, count, {})
  metrics.recorder.record(seconds, count, {})
  let lastMetrics: MetricsSnapshot = []
  let isDead = false
  const read: WorkerMetrics = {
    async readMetrics() {
      if (!isDead) lastMetrics = await metrics.snapshot()
    },
    get lastMetrics() {
      return lastMetrics
    },
  }
  return {
    ...read,
    get lastMetrics() {
      return lastMetrics
    },
    die: () => {
      isDead = true
    },
  }
}

const linesOf = async ({ text }: ReturnType<typeof summedMetrics>) =>
  (await text()).split('\n').filter((line) => /^(requests|open|duration)/.test(line))

it('sums counters, gauges and histograms, and keeps the counts of workers that have ended, but not their gauges', async () => {
  const summed = summedMetrics(prometheusMetrics())
  const [first, second] = [worker(2), worker(5)]
  summed.add(first)
  summed.add(second)
  expect(await linesOf(summed)).toEqual([
    'requests_total{model="m"} 7',
    'open 7',
    'duration_seconds_bucket{le="1"} 0',
    'duration_seconds_bucket{le="10"} 2',
    'duration_seconds_bucket{le="+Inf"} 2',
    'duration_seconds_sum 7',
    'duration_seconds_count 2',
  ])
  first.die()
  summed.retain(first)
  summed.retain(first)
  const lines = await linesOf(summed)
  expect(lines).toContain('requests_total{model="m"} 7')
  expect(lines).toContain('open 5')
  expect(lines).toContain('duration_seconds_count 2')
  second.die()
  summed.retain(second)
  expect(await linesOf(summed)).toContain('requests_total{model="m"} 7')
})

import type { MetricDefinition } from './metrics-recorder.ts'

/** What a storage measures: everything that grows. */
export const storageMetrics = {
  jobs: {
    name: 'trivium.storage.job.kept',
    kind: 'gauge',
    description: 'Jobs that are stored, those of other processes included, counted every 15 seconds',
    unit: '{job}',
  },
  endedJobs: {
    name: 'trivium.storage.job.ended',
    kind: 'counter',
    description: 'Jobs that this process has ended',
    unit: '{job}',
  },
  expired: {
    name: 'trivium.storage.retention.removed',
    kind: 'counter',
    description: 'Jobs and clone tokens that were older than they are kept for',
    unit: '{record}',
  },
} as const satisfies Record<string, MetricDefinition>

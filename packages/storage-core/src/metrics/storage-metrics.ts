import type { MetricDefinition } from './metrics-recorder.ts'

/** The metrics of a storage service: how many jobs are stored and have ended, and which records were removed. */
export const storageMetrics = {
  jobs: {
    name: 'trivium.storage.job.kept',
    kind: 'gauge',
    description: 'Stored jobs of all processes, counted every 15 seconds',
    unit: '{job}',
    labels: [],
  },
  endedJobs: {
    name: 'trivium.storage.job.ended',
    kind: 'counter',
    description: 'Jobs that this process has ended',
    unit: '{job}',
    labels: ['state'],
  },
  expired: {
    name: 'trivium.storage.retention.removed',
    kind: 'counter',
    description: 'Jobs, notices and clone tokens that were removed after the end of their retention',
    unit: '{record}',
    labels: ['kind'],
  },
} as const satisfies Record<string, MetricDefinition>

import type { MetricDefinition } from './metrics-recorder.ts'

const volumeLabels = ['svm', 'volume'] as const
const targetLabels = [...volumeLabels, 'type', 'qtree', 'target'] as const

/**
 * The metrics of a storage service: how many jobs are stored and have ended, which records were removed, notices and
 * their deliveries, and the usage of volumes and quotas in the latest sample of the history.
 */
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
    description: 'Jobs, notices, clone tokens and tokens of users that were removed after the end of their retention',
    unit: '{record}',
    labels: ['kind'],
  },
  notices: {
    name: 'trivium.storage.notice.published',
    kind: 'counter',
    description: 'Notices that this process has published',
    unit: '{notice}',
    labels: ['kind'],
  },
  deliveries: {
    name: 'trivium.storage.webhook.tries',
    kind: 'counter',
    description: 'Tries of this process to deliver a notice to a webhook',
    unit: '{try}',
    labels: ['outcome'],
  },
  volumeSize: {
    name: 'trivium.storage.volume.size',
    kind: 'gauge',
    description: 'Size of a volume',
    unit: 'By',
    labels: volumeLabels,
  },
  volumeUsed: {
    name: 'trivium.storage.volume.used',
    kind: 'gauge',
    description: 'Used space of a volume',
    unit: 'By',
    labels: volumeLabels,
  },
  volumeAvailable: {
    name: 'trivium.storage.volume.available',
    kind: 'gauge',
    description: 'Available space of a volume',
    unit: 'By',
    labels: volumeLabels,
  },
  volumeQuotas: {
    name: 'trivium.storage.volume.quotas',
    kind: 'gauge',
    description: '1 for the state of the quotas of a volume',
    unit: '1',
    labels: [...volumeLabels, 'state'],
  },
  quotaUsed: {
    name: 'trivium.storage.quota.used',
    kind: 'gauge',
    description: 'Used space of the quota targets with the largest use',
    unit: 'By',
    labels: targetLabels,
  },
  quotaHardLimit: {
    name: 'trivium.storage.quota.hard.limit',
    kind: 'gauge',
    description: 'Hard limit of the space of a quota target',
    unit: 'By',
    labels: targetLabels,
  },
  quotaSoftLimit: {
    name: 'trivium.storage.quota.soft.limit',
    kind: 'gauge',
    description: 'Soft limit of the space of a quota target',
    unit: 'By',
    labels: targetLabels,
  },
  quotaOmitted: {
    name: 'trivium.storage.quota.omitted',
    kind: 'gauge',
    description: 'Quota targets of a volume that have no gauges of their own',
    unit: '{target}',
    labels: volumeLabels,
  },
} as const satisfies Record<string, MetricDefinition>

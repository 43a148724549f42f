import type { OptionNames } from './check-options.ts'
import type { StoreOptions } from './create-store.ts'
import type { Mailer } from './digests/mailer.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { NoticeKind } from './notices/notice.ts'
import type { Scheduler } from './scheduling/scheduler.ts'
import type { VolumeBackend } from './volumes/volume-backend.ts'
import type { Worker } from './workers/worker.ts'

/** Options of a storage service. Without a store, the state is in the memory of this process. */
export interface StorageOptions extends StoreOptions {
  /**
   * Names of SVMs that have no volume in this process. Those of {@link volumes} are added by themselves. @default none
   */
  readonly svms?: readonly string[]
  /**
   * Nodes whose split load differs from the default. Those of {@link volumes} are added by themselves. @default none
   */
  readonly nodes?: readonly NodeOptions[]
  /** The volumes whose file systems this process reaches. @default none */
  readonly volumes?: readonly VolumeOptions[]
  /** Receives metrics in addition to OpenTelemetry. @default none */
  readonly metrics?: MetricsRecorder
  /** The clock. @default the system's clock */
  readonly now?: () => Date
  /** Creates an id for each new record. @default crypto.randomUUID */
  readonly newId?: () => string
  /** The timers of background work. @default timers of the process */
  readonly scheduler?: Scheduler
  /**
   * The id of this process among those that share the store, and whether another process has ended. At its start it
   * takes over the work of processes that have ended. @default an id of `newId`, which waits for the end of every lease
   */
  readonly worker?: Worker
  /**
   * Receives every fault that no caller gets: of background work, of listeners that throw, and of requests to routes
   * without an `onFault` of their own, with the id of the operation.
   *
   * @default console.error: of equal faults of an operation one in 10 seconds, with the number of those left out
   */
  readonly onFault?: (error: unknown, operation?: string) => void
  /** How long ended jobs are kept, from 1 to 1,000,000,000 seconds. @default 300 */
  readonly jobRetentionSeconds?: number
  /**
   * How long a process keeps its jobs and splits without renewing them, from 0.001 to 2,147,483 seconds. @default 30
   */
  readonly leaseSeconds?: number
  /**
   * The interval of the search for work that other processes added or left, from 0.001 to 2,147,483 seconds. @default 1
   */
  readonly lookSeconds?: number
  /**
   * The interval at which the usage is compared with soft limits, grace periods and thresholds, from 0.001 to 2,147,483
   * seconds. A backend with `watchQuota` is also compared when its usage passes a soft limit. @default 60
   */
  readonly usageSeconds?: number
  /**
   * How far the usage has to fall below a soft limit or a threshold before that counts as normal, from 0 to 50 percent
   * of the limit. @default 1
   */
  readonly noticeHysteresisPercent?: number
  /**
   * The interval at which volumes are compared with their file systems, and lost limits set again, from 0.001 to
   * 2,147,483 seconds. @default 60
   */
  readonly inspectSeconds?: number
  /**
   * The interval at which the usage of volumes and of their quota targets is recorded, from 60 to 1,800 seconds. 0 is
   * off: there is no history, and no gauges of usage. @default 0
   */
  readonly historySeconds?: number
  /** How long the history of usage is kept, from 1 to 3,650 days. @default 400 */
  readonly historyDays?: number
  /**
   * The most quota targets that have gauges of their own, from 0 to 10,000: those with the largest use. @default 100
   */
  readonly metricTargets?: number
  /** The most bytes that a split copies in one step, at least 1. @default 16 MiB */
  readonly splitSliceSize?: number
  /**
   * How long notices are kept with their deliveries, from 1 to 3,650 days, and never more than 10,000 notices. @default 30
   */
  readonly noticeDays?: number
  /** Sends notices by e-mail. @default none are sent */
  readonly mail?: MailOptions
  /** Sends notices to webhooks. It must not follow redirects when the request forbids it. @default the global fetch */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
  /** Returns a number from 0 to below 1, to spread retries. @default Math.random */
  readonly random?: () => number
  /**
   * The available space that splits leave on each volume: bytes, from 0 to 2^53 - 1, or a percentage of its size such as
   * `5%`. Splits wait while the next step would take more. With 0 they take all that the file system gives.
   * @default '5%'
   */
  readonly splitFloor?: number | string
}

/** The names of the options, for hosts in plain JavaScript. */
export const storageOptionNames: OptionNames<StorageOptions> = {
  repositories: true,
  database: true,
  svms: true,
  nodes: true,
  volumes: true,
  metrics: true,
  now: true,
  newId: true,
  scheduler: true,
  worker: true,
  onFault: true,
  jobRetentionSeconds: true,
  leaseSeconds: true,
  lookSeconds: true,
  usageSeconds: true,
  noticeHysteresisPercent: true,
  inspectSeconds: true,
  historySeconds: true,
  historyDays: true,
  metricTargets: true,
  splitSliceSize: true,
  noticeDays: true,
  mail: true,
  fetch: true,
  random: true,
  splitFloor: true,
}

/** A node that the host declares. */
export interface NodeOptions {
  /** Unique in the storage. It identifies the node after a restart. */
  readonly name: string
  /** The maximum split load of a new node, in bytes, from 4 KiB to 675 TiB. A stored node keeps its own. @default 32 TiB */
  readonly splitLoadMaximum?: number
}

/** The recipients of notices by e-mail, who get those from the time at which the host first names them. */
export interface MailOptions {
  /** Sends the messages. */
  readonly mailer: Mailer
  /** At most 100. */
  readonly recipients: readonly MailRecipient[]
  /**
   * The time for which notices are collected to one message, from the first one on, from 0 to 1,440 minutes. @default 15
   */
  readonly digestMinutes?: number
}

/** A recipient of notices by e-mail. */
export interface MailRecipient {
  /** An address of at most 254 characters, which identifies the recipient after a restart. */
  readonly to: string
  /** The kinds of notices that the recipient gets. @default all kinds */
  readonly kinds?: readonly NoticeKind[]
}

/** A volume that the host serves from this process. */
export interface VolumeOptions {
  /** Unique in its SVM. It identifies the volume after a restart. */
  readonly name: string
  /** The file system that enforces quotas and clones files. */
  readonly backend: VolumeBackend
  /** The name of its SVM. @default 'svm1' */
  readonly svm?: string
  /** The name of its node. @default 'node1' */
  readonly node?: string
  /** The available space that splits leave on this volume, in the same form. @default that of the storage */
  readonly splitFloor?: number | string
}

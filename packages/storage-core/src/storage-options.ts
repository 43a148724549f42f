import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { Scheduler } from './scheduling/scheduler.ts'
import type { StorageRepositories } from './storage-repositories.ts'
import type { VolumeBackend } from './volumes/volume-backend.ts'
import type { Worker } from './workers/worker.ts'

/** What a host puts together. Only `repositories` is needed. */
export interface StorageOptions {
  /** All of one store, which other processes may share. */
  readonly repositories: StorageRepositories
  /** Names of SVMs without a volume of their own here; those of {@link volumes} need no mention. */
  readonly svms?: readonly string[]
  /** Nodes whose split load differs from the default; those of {@link volumes} need no mention. */
  readonly nodes?: readonly NodeOptions[]
  /** The volumes whose file systems this process reaches. */
  readonly volumes?: readonly VolumeOptions[]
  /** Measures besides OpenTelemetry. */
  readonly metrics?: MetricsRecorder
  /** @default the system's clock */
  readonly now?: () => Date
  /** @default crypto.randomUUID */
  readonly newId?: () => string
  /** @default timers */
  readonly scheduler?: Scheduler
  /**
   * How this process is known to others, and what it can know of them: at its start it takes over what those have
   * left that have ended for certain. @default an id of `newId`, which waits for the end of every lease
   */
  readonly worker?: Worker
  /** Gets every fault that no caller hears of: of background work, and of listeners that throw. @default console.error */
  readonly onFault?: (error: unknown) => void
  /** How long ended jobs are kept, from 1 to 1,000,000,000. @default 300 */
  readonly jobRetentionSeconds?: number
  /** How long a process that says nothing keeps its jobs and splits, from 0.001 to 2,147,483. @default 30 */
  readonly leaseSeconds?: number
  /** How often work that other processes left or added is looked for, from 0.001 to 2,147,483. @default 1 */
  readonly lookSeconds?: number
  /**
   * How often soft limits are compared with the usage, where file systems do not report by themselves, from 0.001 to
   * 2,147,483. @default 60
   */
  readonly usageSeconds?: number
  /**
   * How often volumes are compared with their file systems, whose lost limits are set again, from 0.001 to 2,147,483.
   * @default 60
   */
  readonly inspectSeconds?: number
  /** The most bytes that a split moves in one step, at least 1. @default 16 MiB */
  readonly splitSliceSize?: number
}

/** A node that the host declares. */
export interface NodeOptions {
  /** Unique in the storage; known by it after a restart. */
  readonly name: string
  /** In bytes, when the node is new. @default 32 TiB */
  readonly splitLoadMaximum?: number
}

/** A volume that the host serves from this process. */
export interface VolumeOptions {
  /** Unique in its SVM; known by it after a restart. */
  readonly name: string
  /** The file system that enforces and clones. */
  readonly backend: VolumeBackend
  /** @default 'svm1' */
  readonly svm?: string
  /** @default 'node1' */
  readonly node?: string
}

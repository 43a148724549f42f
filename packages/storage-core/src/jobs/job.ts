import type { Tagged } from 'type-fest'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { JobTask } from './job-task.ts'

/** A UUID unless the host supplies its own ids. */
export type JobId = Tagged<string, 'JobId'>

/** The state of a job. `success` and `failure` are final. A `paused` job waits until it is resumed. */
export type JobState = 'queued' | 'running' | 'paused' | 'success' | 'failure'

export const jobStates = ['queued', 'running', 'paused', 'success', 'failure'] as const satisfies readonly JobState[]

/** Background work. After a crash it starts again, or continues from its last recorded progress. */
export interface Job {
  readonly uuid: JobId
  /** The request that created it, or the kind of its task. */
  readonly description: string
  readonly task: JobTask
  /** Jobs of one lane run one at a time, in the order of their addition. */
  readonly lane: string
  readonly svm: Svm
  readonly node: NodeReference
  readonly state: JobState
  /** The last recorded progress. Absent before the first, and for tasks without progress. It stays after the end. */
  readonly progress?: JobProgress
  /** Set only in state `failure`. */
  readonly failure?: JobFailure
  /** The time of the first claim. */
  readonly startedAt?: Date
  /** Set only in states `success` and `failure`. */
  readonly endedAt?: Date
}

/** The progress of a job, in units of its task. */
export interface JobProgress {
  /** The units that are done, from 0 to `total`. */
  readonly done: number
  /** All units of the task: 1 for a clone, a number of the volume backend for a quota scan. */
  readonly total: number
}

/** Why a job failed, with a sentence for the caller. */
export interface JobFailure {
  readonly type: JobFailureType
  /** For the client. When the volume backend refused, the message of its `VolumeRefusal`. */
  readonly message: string
}

/** Why a job ended in `failure`. */
export type JobFailureType =
  | 'cancelled'
  /** An unexpected fault, without details in the message. */
  | 'internal'
  /** The volume cannot enforce a rule. */
  | 'quota-unsupported'
  | 'quota-enable-failed'
  | 'quota-disable-failed'
  | 'rule-created-not-resized'
  | 'rule-created-resize-skipped'
  | 'rule-modified-not-resized'
  | 'rule-deleted-not-resized'
  | 'rule-deleted-still-enforced'
  | 'qtree-create-failed'
  | 'qtree-rename-failed'
  | 'qtree-delete-failed'
  | 'clone-failed'
  | 'clone-source-not-found'
  | 'clone-range-invalid'
  | 'volume-clone-failed'
  | 'volume-delete-failed'

/** The types of the fields of a job, and how they are read. */
export const jobFields = defineFields<Job>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    description: { type: 'string', read: ({ description }) => description },
    state: { type: 'enum', values: jobStates, read: ({ state }) => state },
    message: { type: 'string', read: ({ failure }) => failure?.message },
    startedAt: { type: 'date', read: ({ startedAt }) => startedAt?.getTime() },
    endedAt: { type: 'date', read: ({ endedAt }) => endedAt?.getTime() },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    volumeUuid: { type: 'uuid', read: ({ task }) => task.volume },
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
  },
  ['uuid'],
)

/** The fields that queries and orders of jobs can name. */
export type JobField = keyof typeof jobFields.fields

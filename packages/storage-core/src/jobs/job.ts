import type { Tagged } from 'type-fest'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { JobTask } from './job-task.ts'

/** A UUID unless the host makes ids of its own. Ended jobs are forgotten after a while. */
export type JobId = Tagged<string, 'JobId'>

/** `success` and `failure` are ends. A `paused` job waits until it is resumed. */
export type JobState = 'queued' | 'running' | 'paused' | 'success' | 'failure'

export const jobStates = ['queued', 'running', 'paused', 'success', 'failure'] as const satisfies readonly JobState[]

/** Work that an answer need not wait for. It is done again from its start, or its last record, after a crash. */
export interface Job {
  readonly uuid: JobId
  /** What made it: a request, or the kind of its task. */
  readonly description: string
  readonly task: JobTask
  /** Jobs of one lane run one at a time, in the order they were added. */
  readonly lane: string
  readonly svm: Svm
  readonly node: NodeReference
  readonly state: JobState
  readonly progress?: JobProgress
  /** Only in state `failure`. */
  readonly failure?: JobFailure
  readonly startedAt?: Date
  /** In states `success` and `failure`. */
  readonly endedAt?: Date
}

/** How far a job is, in units of its own. */
export interface JobProgress {
  readonly done: number
  readonly total: number
}

/** Why a job failed, and the sentence that a caller reads. */
export interface JobFailure {
  readonly type: JobFailureType
  readonly message: string
}

/** Why a job ended in `failure`. */
export type JobFailureType =
  | 'cancelled'
  /** Something unexpected; the message says no more than that. */
  | 'internal'
  /** The volume can't enforce what the rules ask for. */
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

/** How each field of a job is typed and read. */
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
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
  },
  ['uuid'],
)

/** What queries and orders of jobs can name. */
export type JobField = keyof typeof jobFields.fields

import type { Job } from '@trivium/storage-core'
import {
  type JobFailureType,
  type JobField,
  type JobId,
  type JobState,
  type JobTask,
  jobFields,
  type NodeId,
  type SvmId,
} from '@trivium/storage-core/ports'
import type { Transaction } from 'kysely'
import type { RecordSource } from './queries/record-source.ts'
import type { JobRow, StorageTables } from './storage-tables.ts'

export const jobSource: RecordSource<Job, JobField, JobRow> = {
  table: 'storage_jobs',
  catalogue: jobFields,
  optional: ['message', 'startedAt', 'endedAt', 'volumeUuid'],
  fromRow,
}

/** Adds a job, if there is one, in the transaction of the change that requires it. */
export async function insertJob(transaction: Transaction<StorageTables>, job: Job | undefined): Promise<void> {
  if (job) await transaction.insertInto('storage_jobs').values(toRow(job)).execute()
}

export function toRow(job: Job): Omit<JobRow, 'number'> {
  return {
    uuid: job.uuid,
    description: job.description,
    task: JSON.stringify(job.task),
    lane: job.lane,
    volume_uuid: job.task.volume,
    svm_uuid: job.svm.uuid,
    svm_name: job.svm.name,
    node_uuid: job.node.uuid,
    node_name: job.node.name,
    state: job.state,
    done: job.progress?.done ?? null,
    total: job.progress?.total ?? null,
    failure_type: job.failure?.type ?? null,
    message: job.failure?.message ?? null,
    started_at: job.startedAt?.getTime() ?? null,
    ended_at: job.endedAt?.getTime() ?? null,
    owner: null,
    lease_until: null,
    command: null,
  }
}

export function fromRow(row: JobRow): Job {
  return {
    // Ids, tasks, states and types are stored as they were in the job.
    uuid: row.uuid as JobId,
    description: row.description,
    task: JSON.parse(row.task) as JobTask,
    lane: row.lane,
    svm: { uuid: row.svm_uuid as SvmId, name: row.svm_name },
    node: { uuid: row.node_uuid as NodeId, name: row.node_name },
    state: row.state as JobState,
    ...(row.done !== null && row.total !== null && { progress: { done: row.done, total: row.total } }),
    ...(row.failure_type !== null && {
      failure: { type: row.failure_type as JobFailureType, message: row.message ?? '' },
    }),
    ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
    ...(row.ended_at !== null && { endedAt: new Date(row.ended_at) }),
  }
}

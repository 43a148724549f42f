import type { Job } from '../../jobs/job.ts'
import { hasEnded, type Jobs } from '../../jobs/jobs.ts'
import type { Caller } from '../access/caller.ts'
import { type FailureAnswer, failureAnswer, type JsonAnswer, jsonAnswer } from '../collections/answers.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { jobFailure } from '../errors/job-failure.ts'
import { linksFrom } from '../links-from.ts'

export interface AnswerJobOptions<Status extends number> {
  readonly jobs: Jobs
  readonly caller: Caller
  readonly job: Job
  /** Aborts when the client disconnects, and when the host begins to stop. */
  readonly ending: AbortSignal
  /** The time that the client waits, in seconds. */
  readonly returnTimeout: number
  /** The status of the answer when the job succeeds in time. */
  readonly done: Status
  /** The created records, and the path of the first in the contract. */
  readonly createdRecords?: { readonly records: readonly WireRecord[]; readonly location: string }
}

/** Waits for the job up to `returnTimeout`, and answers with its result, or with 202 and the job. */
export async function answerJob<Status extends number>(
  options: AnswerJobOptions<Status>,
): Promise<JsonAnswer<Status | 202> | FailureAnswer> {
  const { jobs, caller, returnTimeout, done, createdRecords } = options
  const isEnded = hasEnded(options.job) || returnTimeout === 0
  const job = isEnded ? options.job : await jobs.wait(options.job, returnTimeout * 1000, options.ending)
  if (job.failure) return failureAnswer(caller, jobFailure(job.failure))
  const body = {
    ...(createdRecords && { num_records: createdRecords.records.length, records: createdRecords.records }),
    job: jobReference(job, caller),
  }
  const headers = createdRecords ? { location: `${caller.mountPath}${createdRecords.location}` } : {}
  return jsonAnswer(caller, job.state === 'success' ? done : 202, body, { headers })
}

export const jobPath = ({ uuid }: Job): string => `/api/cluster/jobs/${uuid}`

/** A job in another answer. It always has a link, because clients of NetApp accept plain JSON and follow it. */
export const jobReference = (job: Job, { mountPath }: Pick<Caller, 'mountPath'>): WireRecord => ({
  uuid: job.uuid,
  _links: linksFrom(mountPath)(jobPath(job)),
})

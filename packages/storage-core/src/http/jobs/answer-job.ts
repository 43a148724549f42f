import type { Job } from '../../jobs/job.ts'
import { hasEnded, type Jobs } from '../../jobs/jobs.ts'
import type { Caller } from '../access/admission.ts'
import { type FailureAnswer, failureAnswer, type JsonAnswer, jsonAnswer, selfLink } from '../collections/answers.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { jobFailure } from '../errors/job-failure.ts'

export interface AnswerJobOptions<Status extends number> {
  readonly jobs: Jobs
  readonly caller: Caller
  readonly job: Job
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** The time that the client waits, in seconds. */
  readonly returnTimeout: number
  /** The status of the answer when the job succeeds in time. */
  readonly done: Status
  /** The created records, and the address of the first. */
  readonly createdRecords?: { readonly records: readonly WireRecord[]; readonly location: string }
}

/** Waits for the job up to `returnTimeout`, and answers with its result, or with 202 and the job. */
export async function answerJob<Status extends number>(
  options: AnswerJobOptions<Status>,
): Promise<JsonAnswer<Status | 202> | FailureAnswer> {
  const { jobs, caller, returnTimeout, done, createdRecords } = options
  const isEnded = hasEnded(options.job) || returnTimeout === 0
  const job = isEnded ? options.job : await jobs.wait(options.job, returnTimeout * 1000, options.signal)
  if (job.failure) return failureAnswer(caller, jobFailure(job.failure))
  const body = {
    ...(createdRecords && { num_records: createdRecords.records.length, records: createdRecords.records }),
    job: jobReference(job),
  }
  const headers = createdRecords ? { location: createdRecords.location } : {}
  return jsonAnswer(caller, job.state === 'success' ? done : 202, body, { headers })
}

export const jobPath = ({ uuid }: Job): string => `/api/cluster/jobs/${uuid}`

/** A job in another answer. It always has a link, because clients of NetApp accept plain JSON and follow it. */
export const jobReference = (job: Job): WireRecord => ({ uuid: job.uuid, _links: selfLink(jobPath(job)) })

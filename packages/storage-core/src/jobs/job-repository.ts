import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Job, JobFailure, JobField, JobId, JobProgress } from './job.ts'

/**
 * Where jobs are kept. Rejections mean that the store failed.
 *
 * A worker holds a running job by a lease: only the `owner` of a lease that has not ended may change it, so a worker that
 * died or stalled is replaced, and learns of it.
 */
export interface JobRepository {
  /** Adds a job behind those of its lane. */
  add(job: Job): Promise<void>
  find(uuid: JobId): Promise<Job | undefined>
  list(request: PageRequest<JobField>): Promise<Page<Job>>
  count(query: Query<JobField>): Promise<number>
  /**
   * Takes the job that waits longest in one of the lanes and makes it `running`, in one atomic step. A running job whose
   * lease has ended waits too, in its old place. A lane with a running job under a live lease gives none. A lease that
   * ends more than four of the claim's own after `now` is of a clock that was wrong, and is not a live one.
   */
  claim(request: ClaimJob): Promise<Job | undefined>
  /**
   * Extends the lease, and records the progress where it is given.
   *
   * @returns what the worker is asked to do now; `lost`, with nothing changed, when it no longer holds the job
   */
  advance(uuid: JobId, step: JobStep): Promise<JobCommand | 'continue' | 'lost'>
  /** Ends a job that the owner holds. @returns whether it was held */
  finish(uuid: JobId, owner: string, end: JobEnd, now: Date): Promise<boolean>
  /** Gives up a job that the owner holds: `queued` in its old place, or `paused`. A command is forgotten. */
  suspend(uuid: JobId, owner: string, state: 'queued' | 'paused', now: Date): Promise<boolean>
  /**
   * Pauses, resumes or cancels a job that no live lease holds, in one atomic step: pausing makes it `paused`, resuming a
   * paused one `queued`, cancelling a `failure`. Where a live lease holds it, its next {@link advance} is answered with
   * the command; `resume` takes back a pause that was not obeyed yet.
   *
   * @returns `ended` for a job in `success` or `failure`
   */
  command(uuid: JobId, command: JobCommand | 'resume', now: Date): Promise<'done' | 'asked' | 'ended' | 'not-found'>
  /** The owners of leases that have not ended, each once, in no order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that is known to have ended, in one atomic step: its jobs wait in their old places. */
  endLeases(owner: string, now: Date): Promise<void>
  /** Removes the jobs that ended before that time. @returns how many */
  removeEnded(before: Date): Promise<number>
}

/** What a worker that holds a job is asked to do. */
export type JobCommand = 'pause' | 'cancel'

/** What a worker can take, and for how long. */
export interface ClaimJob {
  /** The worker's process. */
  readonly owner: string
  /** Jobs of one lane run one after the other. */
  readonly lanes: readonly string[]
  /** Becomes `startedAt` unless the job ran before. */
  readonly now: Date
  readonly leaseUntil: Date
}

/** A sign of life of the worker, with what it has done so far. */
export interface JobStep {
  readonly owner: string
  readonly progress?: JobProgress
  readonly now: Date
  readonly leaseUntil: Date
}

/** How a job ended. */
export type JobEnd = { readonly state: 'success' } | { readonly state: 'failure'; readonly failure: JobFailure }

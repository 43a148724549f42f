import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Job, JobFailure, JobField, JobId, JobProgress } from './job.ts'

/**
 * The store of jobs. A rejection means that the store failed.
 *
 * A worker holds a running job by a lease. Only the `owner` of a live lease may change the job, so that another worker
 * can replace one that has ended or stalled.
 */
export interface JobRepository {
  /** Adds a job at the end of its lane. */
  add(job: Job): Promise<void>
  /** Returns a job in any state, or `undefined` when it was never added or is removed. */
  find(uuid: JobId): Promise<Job | undefined>
  /** Returns one page of the jobs in any state. */
  list(request: PageRequest<JobField>): Promise<Page<Job>>
  /** Counts the jobs in any state that match. */
  count(query: Query<JobField>): Promise<number>
  /**
   * Takes the job that waits longest in one of the lanes and makes it `running`. Atomic. A running job whose lease has
   * ended also waits, in its old place. A lane with a job under a live lease gives none. A lease that ends later than
   * `longestLease` is not live, because the clock of its owner was wrong.
   */
  claim(request: ClaimJob): Promise<Job | undefined>
  /**
   * Extends the lease, and records the progress if given.
   *
   * @returns the command for the worker, or `lost`, with nothing changed, when it no longer holds the job
   */
  advance(uuid: JobId, step: JobStep): Promise<JobCommand | 'continue' | 'lost'>
  /** Ends a job that the owner holds, with `now` as `endedAt`. Atomic. @returns whether it was held */
  finish(uuid: JobId, owner: string, end: JobEnd, now: Date): Promise<boolean>
  /**
   * Puts a job that the owner holds back in its old place, `queued` or `paused`, and clears its command. Atomic.
   *
   * @returns whether it was held. If not, nothing was changed
   */
  suspend(uuid: JobId, owner: string, state: 'queued' | 'paused', now: Date): Promise<boolean>
  /**
   * Pauses, resumes or cancels a job. Atomic. A job without a live lease changes immediately: to `paused`, from
   * `paused` to `queued`, or to `failure`. For a job with a live lease, the next {@link advance} returns the command.
   * `resume` takes back a pause that has not happened yet.
   *
   * @returns `done`, `asked` when a worker has to act, or `ended` for a job in `success` or `failure`
   */
  command(uuid: JobId, command: JobCommand | 'resume', now: Date): Promise<'done' | 'asked' | 'ended' | 'not-found'>
  /** The owners of live leases, each once, in any order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that has ended. Atomic. Its jobs wait in their old places. */
  endLeases(owner: string, now: Date): Promise<void>
  /** Removes the jobs that ended before that time. @returns their number */
  removeEnded(before: Date): Promise<number>
}

/** A command for the worker of a running job. */
export type JobCommand = 'pause' | 'cancel'

/** The lanes that a worker can take a job from, and its lease. */
export interface ClaimJob {
  /** The id of the worker's process. */
  readonly owner: string
  /** The lanes to take a job from. Jobs of one lane run one after the other. */
  readonly lanes: readonly string[]
  /** Becomes `startedAt` unless the job ran before. */
  readonly now: Date
  /** The end of the lease. */
  readonly leaseUntil: Date
}

/** An extension of a lease, with the progress of the job. */
export interface JobStep {
  /** The id of the worker that claimed the job. */
  readonly owner: string
  /** Replaces the stored progress. @default the stored progress stays */
  readonly progress?: JobProgress
  readonly now: Date
  /** The new end of the lease. */
  readonly leaseUntil: Date
}

/** The result of a job. */
export type JobEnd = { readonly state: 'success' } | { readonly state: 'failure'; readonly failure: JobFailure }

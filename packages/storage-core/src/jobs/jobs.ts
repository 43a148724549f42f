import type { EventEmitter } from 'eventemitter3'
import { err, ok, ResultAsync } from 'neverthrow'
import type { StorageEvents } from '../events/storage-events.ts'
import type { NodeReference } from '../nodes/storage-node.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { pause, type Scheduler } from '../scheduling/scheduler.ts'
import type { Svm } from '../svms/svm.ts'
import type { Job, JobField, JobId } from './job.ts'
import type { JobRepository } from './job-repository.ts'
import type { JobTask } from './job-task.ts'

/** Why an operation on a job failed. `job` is the id that the caller gave. */
export type JobError =
  | { readonly type: 'job-not-found'; readonly job: string }
  | { readonly type: 'job-ended'; readonly job: string }
  /** The job has begun, and jobs of its kind cannot be stopped. */
  | { readonly type: 'job-not-pausable'; readonly job: string }
  | { readonly type: 'job-not-cancellable'; readonly job: string }

/** The jobs of the storage. Ended jobs are found for `jobRetentionSeconds`. */
export interface Jobs {
  find(uuid: string): ResultAsync<Job, JobError>
  list(request: PageRequest<JobField>): Promise<Page<Job>>
  count(query: Query<JobField>): Promise<number>
  /** Pauses a job. A running job stops at its next heartbeat, after at most 1 second. */
  pause(uuid: string): ResultAsync<void, JobError>
  resume(uuid: string): ResultAsync<void, JobError>
  /** Cancels a job, which then ends in `failure`. A running job stops at its next heartbeat. */
  cancel(uuid: string): ResultAsync<void, JobError>
  /** Waits for the end of a job. @returns the job at its end, after that time, or when the signal aborts */
  wait(job: Job, milliseconds: number, signal?: AbortSignal): Promise<Job>
}

/** The description of a job. */
export interface JobLabel {
  /** One line, such as the request that created the job. @default the kind of its task, such as `resize-quota` */
  readonly description?: string
}

export interface JobDraft extends JobLabel {
  readonly task: JobTask
  readonly lane: string
  readonly svm: Svm
  readonly node: NodeReference
}

/** The jobs, for services that add them. */
export interface JobQueue {
  /** Creates a job for a repository to add together with its cause. Call {@link begin} after that. */
  prepare(draft: JobDraft): Job
  /** Starts the jobs that were added. */
  begin(): void
  /** Adds a job and starts it. */
  submit(draft: JobDraft): Promise<Job>
  /** Adds a job for work that is already done, in state `success`. */
  record(draft: JobDraft): Promise<Job>
}

export interface JobsOptions {
  readonly repository: JobRepository
  readonly wake: () => void
  readonly newId: () => string
  readonly now: () => Date
  readonly scheduler: Scheduler
  readonly events: EventEmitter<StorageEvents>
  readonly retentionMs: number
  /** Called for a job that was cancelled while it did not run. */
  readonly onCancelled: (job: Job) => Promise<void>
}

/** The interval at which a job of another process is read while a caller waits for it. */
const POLL_MS = 100

export function createJobs(options: JobsOptions): Jobs & JobQueue {
  const { repository, wake, newId, now, scheduler, events, retentionMs } = options
  const retentionStart = () => new Date(now().getTime() - retentionMs)
  const withinRetention = (query: Query<JobField>): Query<JobField> => ({
    all: [
      ...query.all,
      {
        any: [
          { field: 'endedAt', negated: false, term: { kind: 'null' } },
          {
            field: 'endedAt',
            negated: false,
            term: { kind: 'compare', operator: '>', value: retentionStart().getTime() },
          },
        ],
      },
    ],
  })
  const find = async (uuid: string): Promise<Job | undefined> => {
    const job = await repository.find(uuid as JobId) // an id of a client is a text, and is looked up unchecked
    return job?.endedAt && job.endedAt <= retentionStart() ? undefined : job
  }
  // Ids are opaque texts.
  const prepare = (draft: JobDraft): Job => ({
    ...draft,
    description: draft.description ?? draft.task.kind,
    uuid: newId() as JobId,
    state: 'queued',
  })
  const command = (uuid: string, action: 'pause' | 'resume' | 'cancel'): ResultAsync<void, JobError> =>
    new ResultAsync(
      (async () => {
        const job = await find(uuid)
        if (!job) return err({ type: 'job-not-found', job: uuid } as const)
        if (action === 'pause' && job.state === 'running' && !canStop(job)) {
          return err({ type: 'job-not-pausable', job: uuid } as const)
        }
        // A job that its process has left waits again, half done.
        if (action === 'cancel' && job.startedAt && !hasEnded(job) && !canStop(job)) {
          return err({ type: 'job-not-cancellable', job: uuid } as const)
        }
        const outcome = await repository.command(job.uuid, action, now())
        if (outcome === 'not-found') return err({ type: 'job-not-found', job: uuid } as const)
        if (outcome === 'ended') return err({ type: 'job-ended', job: uuid } as const)
        if (action === 'cancel' && outcome === 'done') await options.onCancelled(job)
        wake()
        return ok()
      })(),
    )

  return {
    find: (uuid) =>
      ResultAsync.fromSafePromise(find(uuid)).andThen((job) =>
        job ? ok(job) : err({ type: 'job-not-found', job: uuid } as const),
      ),
    list: (request) => repository.list({ ...request, query: withinRetention(request.query) }),
    count: (query) => repository.count(withinRetention(query)),
    pause: (uuid) => command(uuid, 'pause'),
    resume: (uuid) => command(uuid, 'resume'),
    cancel: (uuid) => command(uuid, 'cancel'),
    wait: async (job, milliseconds, signal = neverAborted) => {
      let latest = job
      const timedOut = new AbortController()
      const stop = scheduler.after(milliseconds, () => timedOut.abort())
      let jobEnded = new AbortController()
      const onEnded = ({ uuid }: Job) => {
        if (uuid === job.uuid) jobEnded.abort()
      }
      events.on('job.ended', onEnded)
      try {
        for (;;) {
          latest = (await repository.find(job.uuid)) ?? latest
          if (hasEnded(latest) || timedOut.signal.aborted || signal.aborted) return latest
          await pause(scheduler, POLL_MS, AbortSignal.any([timedOut.signal, jobEnded.signal, signal]))
          jobEnded = new AbortController()
        }
      } finally {
        stop()
        events.off('job.ended', onEnded)
      }
    },
    prepare,
    begin: wake,
    submit: async (draft) => {
      const job = prepare(draft)
      await repository.add(job)
      wake()
      return job
    },
    record: async (draft) => {
      const job: Job = { ...prepare(draft), state: 'success', startedAt: now(), endedAt: now() }
      await repository.add(job)
      return job
    },
  }
}

const neverAborted = new AbortController().signal

export const hasEnded = ({ state }: Job): boolean => state === 'success' || state === 'failure'

/** A scan can stop at any time. Other tasks are short, or must not be left half done. */
const canStop = ({ task }: Job): boolean => task.kind === 'enable-quota'

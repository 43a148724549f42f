import type { Emit } from '../events/create-events.ts'
import { pause, type Scheduler } from '../scheduling/scheduler.ts'
import { StoreFailure } from '../store-failure.ts'
import type { Job, JobId, JobProgress } from './job.ts'
import type { JobEnd, JobRepository } from './job-repository.ts'

/** Performs a job, or continues one. A rejection is a fault unless the signal is aborted. */
type PerformJob = (job: Job, context: JobContext) => Promise<JobEnd>

/** What a job gets from its runner. */
export interface JobContext {
  /**
   * Aborts when the job is paused or cancelled, when this process stops, or when another process has taken over the
   * job.
   */
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
  /** The progress that an earlier try, of any process, has {@link record}ed. */
  readonly reached: () => JobProgress | undefined
  /** Stores the progress for the next try. Rejects when another process has taken over the job. */
  readonly record: (progress: JobProgress) => Promise<void>
}

export interface JobRunnerOptions {
  readonly repository: JobRepository
  readonly perform: PerformJob
  /** Called before a running job that was cancelled ends. */
  readonly onCancelled: (job: Job) => Promise<void>
  /** An id that no other process has. */
  readonly owner: string
  /** The lanes whose jobs this process can perform. */
  readonly lanes: () => readonly string[]
  readonly now: () => Date
  readonly scheduler: Scheduler
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly emit: Emit
  readonly onFault: (error: unknown) => void
}

/** Claims and performs jobs. */
export interface JobRunner {
  /** Looks for jobs now. */
  wake(): void
  /** Takes no further jobs, and resolves when the running ones are back in their places. */
  stop(): Promise<void>
}

/** A job whose store fails is tried again for about two minutes, and then returns to its place in the lane. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 64_000

const unexpectedFailure: JobEnd = {
  state: 'failure',
  failure: { type: 'internal', message: 'The job failed unexpectedly.' },
}

type AbortReason = 'pause' | 'cancel' | 'stop' | 'lost'

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { repository, perform, owner, now, scheduler, emit, onFault } = options
  const running = new Map<JobId, { readonly stop: (reason: AbortReason) => void; readonly settled: Promise<void> }>()
  let stopped = false
  let claiming: Promise<void> | undefined
  let claimAgain = false

  const leaseUntil = () => new Date(now().getTime() + options.leaseMs)

  async function claimJobs(): Promise<void> {
    do {
      claimAgain = false
      for (;;) {
        const lanes = options.lanes()
        if (stopped || lanes.length === 0) return
        const job = await repository.claim({ owner, lanes, now: now(), leaseUntil: leaseUntil() })
        if (!job) break
        begin(job)
      }
    } while (claimAgain)
  }

  function wake(): void {
    claimAgain = true
    claiming ??= claimJobs()
      .catch(onFault)
      .finally(() => {
        claiming = undefined
      })
  }

  function begin(job: Job): void {
    const aborter = new AbortController()
    let reason: AbortReason | undefined
    const stop = (cause: AbortReason) => {
      reason ??= cause
      aborter.abort()
    }
    const settled = run(job, aborter.signal, stop, () => reason)
      .catch(onFault)
      .finally(() => {
        running.delete(job.uuid)
        wake()
      })
    running.set(job.uuid, { stop, settled })
    if (stopped) stop('stop')
  }

  async function run(
    job: Job,
    signal: AbortSignal,
    stop: (reason: AbortReason) => void,
    reason: () => AbortReason | undefined,
  ): Promise<void> {
    const progress: { latest?: JobProgress } = {}
    const performed = new AbortController()
    const renewing = renewLease(job.uuid, progress, stop, performed.signal)
    const onProgress = (done: number, total: number) => {
      progress.latest = { done, total }
    }
    let reached = job.progress
    const record = async (latest: JobProgress): Promise<void> => {
      const step = { owner, progress: latest, now: now(), leaseUntil: leaseUntil() }
      if ((await repository.advance(job.uuid, step)) === 'lost') stop('lost')
      signal.throwIfAborted()
      reached = latest
    }
    const end = await performWithRetries(job, { signal, onProgress, reached: () => reached, record }, stop)
    performed.abort()
    await renewing
    const cause = reason()
    if (end || cause === undefined) {
      return finish(job, end ?? { state: 'success' }, progress.latest)
    }
    if (cause === 'cancel') {
      await options.onCancelled(job)
      return finish(job, { state: 'failure', failure: { type: 'cancelled', message: 'The job was cancelled.' } })
    }
    if (cause !== 'lost') await repository.suspend(job.uuid, owner, cause === 'pause' ? 'paused' : 'queued', now())
  }

  /** Performs a job, and tries again while the store fails. Tasks are repeatable. */
  async function performWithRetries(
    job: Job,
    context: JobContext,
    stop: (reason: AbortReason) => void,
  ): Promise<JobEnd | undefined> {
    for (let wait = FIRST_RETRY_MS; ; wait *= 2) {
      try {
        return await perform(job, context)
      } catch (error) {
        if (context.signal.aborted) return undefined
        onFault(error)
        if (!StoreFailure.is(error)) return unexpectedFailure
        if (wait > LAST_RETRY_MS) {
          stop('stop')
          return undefined
        }
        await pause(scheduler, wait, context.signal)
      }
    }
  }

  async function finish(job: Job, end: JobEnd, progress?: JobProgress): Promise<void> {
    if (progress) {
      await repository.advance(job.uuid, { owner, progress, now: now(), leaseUntil: leaseUntil() })
    }
    const endedAt = now()
    if (await repository.finish(job.uuid, owner, end, endedAt)) emit('job.ended', { ...job, ...end, endedAt })
  }

  async function renewLease(
    uuid: JobId,
    progress: { latest?: JobProgress },
    stop: (reason: AbortReason) => void,
    performed: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await pause(scheduler, options.heartbeatMs, performed)
      if (performed.aborted) return
      const { latest } = progress
      const step = { owner, now: now(), leaseUntil: leaseUntil(), ...(latest && { progress: latest }) }
      const command = await repository.advance(uuid, step).catch((error: unknown) => {
        onFault(error)
        return 'continue' as const
      })
      if (command === 'continue') continue
      stop(command)
      if (command === 'lost') return
    }
  }

  return {
    wake,
    stop: async () => {
      stopped = true
      await claiming
      const left = [...running.values()]
      for (const { stop } of left) stop('stop')
      await Promise.all(left.map(({ settled }) => settled))
    },
  }
}

import type { Emit } from '../events/create-events.ts'
import { pause, type Scheduler } from '../scheduling/scheduler.ts'
import { StoreFailure } from '../store-failure.ts'
import type { Job, JobId, JobProgress } from './job.ts'
import type { JobEnd, JobRepository } from './job-repository.ts'

/** Does a job, from wherever it was left. Rejecting is a fault unless the signal aborted. */
type PerformJob = (job: Job, context: JobContext) => Promise<JobEnd>

export interface JobContext {
  /** Aborts when the job is paused or cancelled, when this process stops, and when another one took the job over. */
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
  /** How far an earlier try, of this process or of another, has {@link record}ed that it came. */
  readonly reached: () => JobProgress | undefined
  /** Keeps how far the job is, before it goes on: whoever does it again knows. Rejects when another process has it now. */
  readonly record: (progress: JobProgress) => Promise<void>
}

export interface JobRunnerOptions {
  readonly repository: JobRepository
  readonly perform: PerformJob
  /** Called for a job that was cancelled while it ran, before it ends. */
  readonly onCancelled: (job: Job) => Promise<void>
  /** Told apart from every other process. */
  readonly owner: string
  /** The lanes whose jobs can be done here. */
  readonly lanes: () => readonly string[]
  readonly now: () => Date
  readonly scheduler: Scheduler
  readonly leaseMs: number
  readonly heartbeatMs: number
  readonly emit: Emit
  readonly onFault: (error: unknown) => void
}

export interface JobRunner {
  /** Looks for jobs now. */
  wake(): void
  /** Takes no more jobs, puts running ones back in their place and waits until they are there. */
  stop(): Promise<void>
}

/** A job whose store fails is tried again for about two minutes, and then goes back to where it waited. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 64_000

const failedUnexpectedly: JobEnd = {
  state: 'failure',
  failure: { type: 'internal', message: 'The job failed unexpectedly.' },
}

type AbortReason = 'pause' | 'cancel' | 'stop' | 'lost'

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { repository, perform, owner, now, scheduler, emit, onFault } = options
  const running = new Map<JobId, { readonly stop: (reason: AbortReason) => void; readonly settled: Promise<void> }>()
  let stopped = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  const leaseUntil = () => new Date(now().getTime() + options.leaseMs)

  async function look(): Promise<void> {
    do {
      lookAgain = false
      for (;;) {
        const lanes = options.lanes()
        if (stopped || lanes.length === 0) return
        const job = await repository.claim({ owner, lanes, now: now(), leaseUntil: leaseUntil() })
        if (!job) break
        begin(job)
      }
    } while (lookAgain)
  }

  function wake(): void {
    lookAgain = true
    looking ??= look()
      .catch(onFault)
      .finally(() => {
        looking = undefined
      })
  }

  function begin(job: Job): void {
    const aborter = new AbortController()
    let reason: AbortReason | undefined
    const stop = (why: AbortReason) => {
      reason ??= why
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
    const over = new AbortController()
    const beating = beat(job.uuid, progress, stop, over.signal)
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
    const end = await performAgain(job, { signal, onProgress, reached: () => reached, record }, stop)
    over.abort()
    await beating
    const why = reason()
    if (end || why === undefined) {
      return finish(job, end ?? { state: 'success' }, progress.latest)
    }
    if (why === 'cancel') {
      await options.onCancelled(job)
      return finish(job, { state: 'failure', failure: { type: 'cancelled', message: 'The job was cancelled.' } })
    }
    if (why !== 'lost') await repository.suspend(job.uuid, owner, why === 'pause' ? 'paused' : 'queued', now())
  }

  /** Performs it once more, and again, where the store failed: that passes, and doing it twice does no harm. */
  async function performAgain(
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
        if (!StoreFailure.is(error)) return failedUnexpectedly
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

  async function beat(
    uuid: JobId,
    progress: { latest?: JobProgress },
    stop: (reason: AbortReason) => void,
    over: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await pause(scheduler, options.heartbeatMs, over)
      if (over.aborted) return
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
      await looking
      const left = [...running.values()]
      for (const { stop } of left) stop('stop')
      await Promise.all(left.map(({ settled }) => settled))
    },
  }
}

import type { EventEmitter } from 'eventemitter3'
import { checkArguments } from './check-arguments.ts'
import { checkOptions } from './check-options.ts'
import { checkRange, MAX_SECONDS, MAX_TIMER_SECONDS } from './check-range.ts'
import { watchClock } from './clock-watch.ts'
import { cloneTokenArguments } from './clone-tokens/clone-token-arguments.ts'
import { type CloneTokens, createCloneTokens } from './clone-tokens/clone-tokens.ts'
import { createStore } from './create-store.ts'
import { createEvents } from './events/create-events.ts'
import type { StorageEvents } from './events/storage-events.ts'
import { createFaultReporter } from './fault-reporter.ts'
import { fileCloneArguments } from './file-clones/file-clone-arguments.ts'
import { createFileClones, type FileClones } from './file-clones/file-clones.ts'
import type { Job } from './jobs/job.ts'
import { jobArguments } from './jobs/job-arguments.ts'
import { createJobRunner } from './jobs/job-runner.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { createLifetime, endEach, type Lifetime } from './lifetime.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { nodeArguments } from './nodes/node-arguments.ts'
import { createNodes, MAXIMUM_SPLIT_LOAD, MINIMUM_SPLIT_LOAD, type Nodes } from './nodes/nodes.ts'
import { performTask, undoTask } from './perform-task.ts'
import { qtreeArguments } from './qtrees/qtree-arguments.ts'
import { createQtrees, type Qtrees } from './qtrees/qtrees.ts'
import { everything } from './query/query.ts'
import { quotaReportArguments } from './quota-reports/quota-report-arguments.ts'
import { createQuotaReports, type QuotaReports } from './quota-reports/quota-reports.ts'
import { quotaRuleArguments } from './quota-rules/quota-rule-arguments.ts'
import { createQuotaRules, type QuotaRules } from './quota-rules/quota-rules.ts'
import { createSoftLimitWatch } from './quotas/notice-soft-limits.ts'
import { registerPlacement } from './register-placement.ts'
import { ruleImportArguments } from './rule-imports/rule-import-arguments.ts'
import { createRuleImports, type RuleImports } from './rule-imports/rule-imports.ts'
import { pause, timerScheduler } from './scheduling/scheduler.ts'
import { splitArguments } from './splits/split-arguments.ts'
import { createSplitWorker } from './splits/split-worker.ts'
import { createSplits, type Splits } from './splits/splits.ts'
import { type StorageOptions, storageOptionNames } from './storage-options.ts'
import { createStoreCheck, markStoreFailures } from './store-failure.ts'
import type { Svm } from './svms/svm.ts'
import { createAbsentQtrees } from './volumes/absent-qtrees.ts'
import { createAttachedVolumes } from './volumes/attached-volumes.ts'
import { cloneLane, quotaLane } from './volumes/lanes.ts'
import { needsRestoring } from './volumes/restore-volume.ts'
import type { Volume } from './volumes/volume.ts'
import { volumeArguments } from './volumes/volume-arguments.ts'
import { createVolumeInspection } from './volumes/volume-inspection.ts'
import { createVolumes, type Volumes } from './volumes/volumes.ts'
import { endLeases } from './workers/end-leases.ts'
import { uncertainWorker } from './workers/worker.ts'
import { wrapMethods } from './wrap-methods.ts'

/**
 * The services of one process. Several processes may share the repositories.
 *
 * Operations return what a caller did wrong as the error of a neverthrow `ResultAsync`. When the store fails, they
 * reject with a `StoreFailure`.
 *
 * Methods check what they get before anything is read or changed. A wrong argument is a fault of the host: the method
 * throws immediately, also one that otherwise returns a promise or a `ResultAsync`. It throws a `TypeError` for a value of
 * another type and a `RangeError` for one out of its bounds, with the name of the field.
 */
export interface Storage {
  readonly nodes: Nodes
  /** The SVMs, ordered by name. */
  readonly svms: { list(): Promise<readonly Svm[]> }
  readonly volumes: Volumes
  readonly qtrees: Qtrees
  readonly quotaRules: QuotaRules
  readonly quotaReports: QuotaReports
  readonly ruleImports: RuleImports
  readonly cloneTokens: CloneTokens
  readonly fileClones: FileClones
  readonly splits: Splits
  readonly jobs: Jobs
  /** The events of this process. Listeners are called synchronously. */
  readonly events: EventEmitter<StorageEvents>
  /** Reports a fault to the host. Never throws. */
  readonly onFault: (error: unknown, operation?: string) => void
  /** The clock of the service. */
  readonly now: () => Date
  /**
   * Opens the `database`, registers nodes, SVMs and volumes, restores qtrees and enforced quotas, and starts the
   * background work. Without a call, the first operation starts the storage and waits for it. Later calls return the
   * same promise. A call after a failed start tries again.
   *
   * @throws (rejects) when the store fails, and after `close`
   */
  start(): Promise<void>
  /**
   * Stops background work and leaves unfinished work in a state from which the next process continues. Later calls
   * return the same promise. Stop the transports first: `start` rejects from then on, and later operations may fail.
   */
  close(): Promise<void>
  /** Whether `close` was called. Every request is then answered with 503. */
  readonly isClosed: boolean
}

/** A volume that takes longer to restore does not delay the start. */
const RESTORE_WAIT_MS = 1000
/** The interval at which stored jobs are counted for metrics. */
const COUNT_SECONDS = 15

/**
 * Creates a storage service over the host's volumes and store. Several processes may share a store that is not in memory.
 *
 * @throws RangeError for a number that is outside its range
 * @throws TypeError for an option that does not exist, and where both `repositories` and `database` are given
 *
 * @example
 * ```ts
 * import { simulatedVolume } from '@trivium/simulated-volumes'
 * import { createStorage } from '@trivium/storage-core'
 *
 * const storage = createStorage({ volumes: [{ name: 'homes', backend: simulatedVolume() }] })
 * ```
 */
export function createStorage(options: StorageOptions = {}): Storage {
  checkOptions('createStorage', options, storageOptionNames)
  const {
    nodes: nodeOptions = [],
    svms: svmNames = [],
    volumes: volumeOptions = [],
    now = () => new Date(),
    newId = () => crypto.randomUUID(),
    scheduler = timerScheduler,
    worker = uncertainWorker(newId()),
    jobRetentionSeconds = 300,
    leaseSeconds = 30,
    lookSeconds = 1,
    usageSeconds = 60,
    inspectSeconds = 60,
    splitSliceSize = 16 * 2 ** 20,
  } = options
  checkRange({ leaseSeconds, lookSeconds, usageSeconds, inspectSeconds }, 0.001, MAX_TIMER_SECONDS)
  checkRange({ jobRetentionSeconds }, 1, MAX_SECONDS)
  checkRange({ splitSliceSize }, 1, Number.MAX_SAFE_INTEGER)
  for (const { splitLoadMaximum = MINIMUM_SPLIT_LOAD } of nodeOptions) {
    checkRange({ splitLoadMaximum }, MINIMUM_SPLIT_LOAD, MAXIMUM_SPLIT_LOAD)
  }
  const store = createStore(options)
  const checkStore = createStoreCheck(store.repositories)
  const storeRepositories = markStoreFailures(store.repositories)
  /** The repositories of operations, the first of which starts the storage. */
  const repositories = wrapMethods(storeRepositories, (call) =>
    isStarted ? call() : lifetime.start().then(() => call()),
  )
  let isStarted = false
  const onFault = createFaultReporter(options.onFault)
  const { events, emit } = createEvents(onFault)
  const attached = createAttachedVolumes()
  const absent = createAbsentQtrees()
  const leaseMs = leaseSeconds * 1000
  const retentionMs = jobRetentionSeconds * 1000
  const workerOptions = { owner: worker.id, now, leaseMs, emit, onFault }

  const splitWorker = createSplitWorker({
    ...workerOptions,
    repository: storeRepositories.splits,
    attached,
    sliceSize: splitSliceSize,
    retryMs: leaseMs,
  })
  const onCancelled = ({ task }: Job) => undoTask({ repositories: storeRepositories, attached, now, emit }, task)
  const perform = performTask({ repositories: storeRepositories, attached, absent, now, emit })
  const runner = createJobRunner({
    ...workerOptions,
    repository: storeRepositories.jobs,
    scheduler,
    heartbeatMs: Math.min(1000, leaseMs / 3),
    lanes: () => attached.ids().flatMap((volume) => [quotaLane(volume), cloneLane(volume)]),
    perform: async (job, context) => {
      const end = await perform(job, context)
      if (job.task.kind === 'clone-file') splitWorker.wake()
      return end
    },
    onCancelled,
  })
  const queue = {
    wake: runner.wake,
    newId,
    now,
    scheduler,
    events,
    retentionMs,
    onCancelled,
  }
  const jobs = createJobs({ ...queue, repository: repositories.jobs })
  const quotaReports = createQuotaReports({ repositories, attached })
  const volumes = createVolumes({ repositories, attached, jobs })

  const inspect = createVolumeInspection({ repositories, attached, absent, jobs, emit })

  const closing = new AbortController()
  const unwatched = new Set<string>()
  const newNotices = createSoftLimitWatch()

  async function noticeSoftLimits(): Promise<void> {
    for (const uuid of unwatched) {
      const volume = await volumes.find(uuid).unwrapOr(undefined)
      if (!volume) continue
      const reports = await quotaReports.forSoftLimits(volume).unwrapOr([])
      for (const notice of newNotices(reports)) emit(`quota.${notice.type}`, volume, notice)
    }
  }

  /** Repeats background work until the storage closes. A failure is reported and the next turn tries again. */
  async function repeat(seconds: number, work: () => Promise<unknown>): Promise<void> {
    while (!closing.signal.aborted) {
      await work().catch(onFault)
      await pause(scheduler, seconds * 1000, closing.signal)
    }
  }

  async function lookForWork(): Promise<void> {
    runner.wake()
    splitWorker.wake()
    await cloneTokens.expire()
    const removed = await storeRepositories.jobs.removeEnded(new Date(now().getTime() - retentionMs))
    if (removed > 0) emit('retention.removed', 'jobs', removed)
  }

  async function countJobs(): Promise<void> {
    if (events.listenerCount('jobs.counted') > 0) emit('jobs.counted', await storeRepositories.jobs.count(everything))
  }

  const cloneTokens = createCloneTokens({ repositories, newId, now, clock: watchClock(now), emit })
  const repeated: Promise<void>[] = []
  const watches: (() => void)[] = []
  const stopWatching = () => {
    for (const stop of watches.splice(0)) void endEach(onFault, stop)
  }

  async function start(): Promise<void> {
    await store.open()
    await checkStore()
    const placement = {
      repositories: storeRepositories,
      attached,
      newId,
      nodes: nodeOptions,
      svms: svmNames,
      volumes: volumeOptions,
    }
    const placed = await registerPlacement(placement)
    await endLeases({ repositories: storeRepositories, worker, now })
    try {
      watch(placed)
      await restore(placed)
    } catch (error) {
      stopWatching()
      throw error
    }
    isStarted = true
    repeated.push(repeat(lookSeconds, lookForWork), repeat(COUNT_SECONDS, countJobs))
    for (const volume of placed) repeated.push(repeat(inspectSeconds, () => inspect(volume)))
    if (unwatched.size > 0) repeated.push(repeat(usageSeconds, noticeSoftLimits))
  }

  function watch(placed: readonly Volume[]): void {
    for (const volume of placed) {
      const watchQuota = attached.backend(volume.uuid)?.watchQuota
      if (watchQuota) watches.push(watchQuota((notice) => emit(`quota.${notice.type}`, volume, notice)))
      else unwatched.add(volume.uuid)
    }
  }

  async function restore(placed: readonly Volume[]): Promise<void> {
    const restoring = createJobs({ ...queue, repository: storeRepositories.jobs })
    // All volumes are checked before a job is added: a start that fails and is tried again must not leave jobs behind.
    const volumesToRestore: Volume[] = []
    for (const volume of placed) {
      const backend = attached.backend(volume.uuid)
      if (backend && (await needsRestoring({ repositories: storeRepositories, volume, backend })))
        volumesToRestore.push(volume)
    }
    const restores: Job[] = []
    for (const { uuid, svm, node } of volumesToRestore) {
      const task = { kind: 'restore-volume', volume: uuid } as const
      restores.push(
        await restoring.submit({ description: 'Restore qtrees and quotas', task, lane: quotaLane(uuid), svm, node }),
      )
    }
    await Promise.all(restores.map((job) => restoring.wait(job, RESTORE_WAIT_MS).catch(onFault)))
  }

  const lifetime: Lifetime<void> = createLifetime({
    name: 'storage',
    start,
    close: async () => {
      closing.abort()
      const ends = [stopWatching, () => Promise.all(repeated), runner.stop, splitWorker.stop]
      await Promise.all(ends.map((end) => endEach(onFault, end)))
      await endEach(onFault, store.close)
    },
    onFault,
  })

  const nodes = createNodes({ repository: repositories.nodes, now })
  const qtrees = createQtrees({ repositories, jobs })
  const quotaRules = createQuotaRules({ repositories, attached, jobs, newId, emit })
  const ruleImports = createRuleImports({ repositories, attached, jobs, newId, emit })
  const fileClones = createFileClones({ repositories, jobs, newId })
  const splits = createSplits(repositories)

  for (const recorder of [openTelemetryMetrics(), options.metrics])
    if (recorder) recordMetrics(events, recorder, onFault)

  return {
    nodes: checkArguments(nodes, nodeArguments),
    svms: { list: () => repositories.svms.list() },
    volumes: checkArguments(volumes, volumeArguments),
    qtrees: checkArguments(qtrees, qtreeArguments),
    quotaRules: checkArguments(quotaRules, quotaRuleArguments),
    quotaReports: checkArguments<QuotaReports>(quotaReports, quotaReportArguments),
    ruleImports: checkArguments(ruleImports, ruleImportArguments),
    cloneTokens: checkArguments(cloneTokens, cloneTokenArguments),
    fileClones: checkArguments(fileClones, fileCloneArguments),
    splits: checkArguments(splits, splitArguments),
    jobs: checkArguments<Jobs>(jobs, jobArguments),
    events,
    onFault,
    now,
    start: lifetime.start,
    close: lifetime.close,
    get isClosed() {
      return lifetime.isClosed
    },
  }
}

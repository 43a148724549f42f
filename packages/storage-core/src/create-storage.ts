import type { EventEmitter } from 'eventemitter3'
import { checkArguments } from './check-arguments.ts'
import { checkOptions } from './check-options.ts'
import { checkRange, MAX_SECONDS, MAX_TIMER_SECONDS } from './check-range.ts'
import { watchClock } from './clock-watch.ts'
import { cloneTokenArguments } from './clone-tokens/clone-token-arguments.ts'
import { type CloneTokens, createCloneTokens } from './clone-tokens/clone-tokens.ts'
import { createStore } from './create-store.ts'
import { checkMail } from './digests/check-mail.ts'
import { createDigestWorker } from './digests/digest-worker.ts'
import { createMailing, type Mailing } from './digests/mailing.ts'
import { mailingArguments } from './digests/mailing-arguments.ts'
import { createEvents } from './events/create-events.ts'
import type { StorageEvents } from './events/storage-events.ts'
import { createFaultReporter } from './fault-reporter.ts'
import { fileCloneArguments } from './file-clones/file-clone-arguments.ts'
import { createFileClones, type FileClones } from './file-clones/file-clones.ts'
import { fileArguments } from './files/file-arguments.ts'
import { createFiles, type Files } from './files/files.ts'
import type { Job } from './jobs/job.ts'
import { jobArguments } from './jobs/job-arguments.ts'
import { createJobRunner } from './jobs/job-runner.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { createLifetime, endEach, type Lifetime } from './lifetime.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { nodeArguments } from './nodes/node-arguments.ts'
import { createNodes, MAXIMUM_SPLIT_LOAD, MINIMUM_SPLIT_LOAD, type Nodes } from './nodes/nodes.ts'
import { emitNotices } from './notices/emit-notice.ts'
import { noticeArguments } from './notices/notice-arguments.ts'
import { createNoticeWatch } from './notices/notice-watch.ts'
import { createNotices, MAXIMUM_NOTICES, type Notices } from './notices/notices.ts'
import { ownQuotaArguments } from './own-quotas/own-quota-arguments.ts'
import { createOwnQuotas, type OwnQuotaReports } from './own-quotas/own-quotas.ts'
import { createTreeOwners } from './own-quotas/tree-owners.ts'
import { performTask, undoTask } from './perform-task.ts'
import { qtreeArguments } from './qtrees/qtree-arguments.ts'
import { createQtrees, type Qtrees } from './qtrees/qtrees.ts'
import { everything } from './query/query.ts'
import { quotaReportArguments } from './quota-reports/quota-report-arguments.ts'
import { createQuotaReports, type QuotaReports } from './quota-reports/quota-reports.ts'
import { quotaRuleArguments } from './quota-rules/quota-rule-arguments.ts'
import { createQuotaRules, type QuotaRules } from './quota-rules/quota-rules.ts'
import { createQuotaWatch } from './quotas/quota-watch.ts'
import { registerPlacement } from './register-placement.ts'
import { ruleImportArguments } from './rule-imports/rule-import-arguments.ts'
import { createRuleImports, type RuleImports } from './rule-imports/rule-imports.ts'
import { type Alarm, createAlarm } from './scheduling/alarm.ts'
import { pause, timerScheduler } from './scheduling/scheduler.ts'
import { selfTokenArguments } from './self-tokens/self-token-arguments.ts'
import { createSelfTokens, type SelfTokens } from './self-tokens/self-tokens.ts'
import { splitArguments } from './splits/split-arguments.ts'
import { DEFAULT_SPLIT_FLOOR, readSplitFloor } from './splits/split-floor.ts'
import { createSplitWorker } from './splits/split-worker.ts'
import { createSplits, type Splits } from './splits/splits.ts'
import { type StorageOptions, storageOptionNames } from './storage-options.ts'
import { createStoreCheck, markStoreFailures } from './store-failure.ts'
import type { Svm } from './svms/svm.ts'
import { createUsageHistory, type UsageHistory } from './usage-history/usage-history.ts'
import { usageHistoryArguments } from './usage-history/usage-history-arguments.ts'
import { createUsageSampler, LONGEST_INTERVAL_SECONDS } from './usage-history/usage-sampler.ts'
import { clonedVolumeArguments } from './volume-clones/cloned-volume-arguments.ts'
import { type ClonedVolumes, createClonedVolumes } from './volume-clones/cloned-volumes.ts'
import { createAbsentQtrees } from './volumes/absent-qtrees.ts'
import { createAttachedVolumes } from './volumes/attached-volumes.ts'
import { cloneLane, quotaLane } from './volumes/lanes.ts'
import { needsRestoring } from './volumes/restore-volume.ts'
import type { ServedVolumes } from './volumes/served-volumes.ts'
import type { Volume, VolumeId } from './volumes/volume.ts'
import { volumeArguments } from './volumes/volume-arguments.ts'
import type { VolumeBackend } from './volumes/volume-backend.ts'
import { createVolumeInspection } from './volumes/volume-inspection.ts'
import { createVolumeTurns } from './volumes/volume-turns.ts'
import { createVolumes, type Volumes } from './volumes/volumes.ts'
import { createDeliveryWorker } from './webhooks/delivery-worker.ts'
import { webhookArguments } from './webhooks/webhook-arguments.ts'
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts'
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
  readonly clonedVolumes: ClonedVolumes
  readonly qtrees: Qtrees
  readonly quotaRules: QuotaRules
  readonly quotaReports: QuotaReports
  readonly ownQuotas: OwnQuotaReports
  readonly ruleImports: RuleImports
  readonly usageHistory: UsageHistory
  readonly cloneTokens: CloneTokens
  readonly fileClones: FileClones
  readonly splits: Splits
  readonly files: Files
  readonly jobs: Jobs
  readonly notices: Notices
  readonly webhooks: Webhooks
  readonly mailing: Mailing
  readonly selfTokens: SelfTokens
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

/** The background work of a volume, and how it is ended. */
interface VolumeService {
  readonly ending: AbortController
  /** Aborts when the volume or the storage is no longer served. */
  readonly signal: AbortSignal
  readonly alarm: Alarm
  /** Ends the watch of the file system. */
  readonly stop: (() => void) | undefined
  work: Promise<unknown>
}

/** A volume that takes longer to restore does not delay the start. */
const RESTORE_WAIT_MS = 1000
/** The interval at which stored jobs are counted for metrics. */
const COUNT_SECONDS = 15
/** The interval at which old notices and expired tokens of users are removed. */
const TRIM_SECONDS = 60
const DAY_MS = 86_400_000

/**
 * Creates a storage service over the host's volumes and store. Several processes may share a store that is not in memory.
 *
 * @throws RangeError for a number that is outside its range
 * @throws TypeError for an option that does not exist, for a `splitFloor` that is another text than a percentage, and where both `repositories` and `database` are given
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
    noticeHysteresisPercent = 1,
    historySeconds = 0,
    historyDays = 400,
    metricTargets = 100,
    splitSliceSize = 16 * 2 ** 20,
    noticeDays = 30,
    mail,
    fetch = (url, request) => globalThis.fetch(url, request),
    random = Math.random,
    splitFloor = DEFAULT_SPLIT_FLOOR,
  } = options
  checkRange({ leaseSeconds, lookSeconds, usageSeconds, inspectSeconds }, 0.001, MAX_TIMER_SECONDS)
  checkRange({ jobRetentionSeconds }, 1, MAX_SECONDS)
  checkRange({ noticeHysteresisPercent }, 0, 50)
  if (historySeconds !== 0) checkRange({ historySeconds }, 60, LONGEST_INTERVAL_SECONDS)
  checkRange({ historyDays }, 1, 3650)
  checkRange({ metricTargets }, 0, 10_000)
  checkRange({ splitSliceSize }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ noticeDays }, 1, 3650)
  checkMail(mail)
  for (const { splitLoadMaximum = MINIMUM_SPLIT_LOAD } of nodeOptions) {
    checkRange({ splitLoadMaximum }, MINIMUM_SPLIT_LOAD, MAXIMUM_SPLIT_LOAD)
  }
  const storageFloor = readSplitFloor(splitFloor)
  const volumesWithFloor = volumeOptions.map((volume) => ({
    ...volume,
    floor: volume.splitFloor === undefined ? storageFloor : readSplitFloor(volume.splitFloor),
  }))
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

  const closing = new AbortController()
  const noticeWatch = createNoticeWatch({ repository: storeRepositories.notices, closing: closing.signal })
  /** The log of background work, which does not start the storage. */
  const log = createNotices({ repository: storeRepositories.notices, now, emit, watch: noticeWatch })
  const splitWorker = createSplitWorker({
    ...workerOptions,
    publish: log.publish,
    repository: storeRepositories.splits,
    attached,
    sliceSize: splitSliceSize,
    retryMs: leaseMs,
  })
  const sending = { fetch, scheduler, now }
  const deliveryWorker = createDeliveryWorker({
    ...sending,
    repository: storeRepositories.webhooks,
    owner: worker.id,
    random,
    emit,
    onFault,
  })
  const digestWorker =
    mail &&
    createDigestWorker({
      ...mail,
      repository: storeRepositories.digests,
      digestMs: (mail.digestMinutes ?? 15) * 60_000,
      owner: worker.id,
      now,
      scheduler,
      onFault,
    })
  const onCancelled = ({ task }: Job) => undoTask({ repositories: storeRepositories, attached, now, emit }, task)
  /** Declared here, because jobs begin and end the service of clones. */
  const served: ServedVolumes = {
    begin: (volume, backend) => beginService(volume, backend),
    end: (volume) => endService(volume),
  }
  const perform = performTask({ repositories: storeRepositories, attached, absent, served, now, emit })
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
  /** The background work of each volume of this process. */
  const services = new Map<VolumeId, VolumeService>()
  const ringAlarm = (volume: VolumeId) => services.get(volume)?.alarm.ring()
  const volumes = createVolumes({ repositories, attached, jobs, onGraceChanged: ringAlarm })

  const clock = watchClock(now)
  const sampler = createUsageSampler({
    repositories: storeRepositories,
    volumes,
    quotaReports,
    now,
    clock,
    seconds: historySeconds,
    days: historyDays,
    emit,
  })

  const inspect = createVolumeInspection({ repositories, attached, absent, jobs, emit })

  const treeOwners = createTreeOwners({ scheduler, now, closing: closing.signal, onFault })
  const { wake } = deliveryWorker
  const notices = createNotices({ repository: repositories.notices, now, emit, watch: noticeWatch })
  const webhooks = createWebhooks({
    ...sending,
    repository: repositories.webhooks,
    newId,
    wake,
    closing: closing.signal,
  })
  events.on('notice.published', wake).on('notice.published', noticeWatch.advance)

  const ownVolumes = new Map<VolumeId, Volume>()
  const emitNotice = emitNotices({ emit, volumes: ownVolumes })
  /** An inspection between a stored state and its job would take the limit for a lost one. */
  const inTurn = createVolumeTurns()
  const compareUsage = createQuotaWatch({
    repositories: storeRepositories,
    reports: quotaReports,
    jobs,
    publish: async (notice) => {
      await log.publish(notice)
      emitNotice(notice)
    },
    emit,
    now,
    hysteresis: noticeHysteresisPercent,
  })

  async function watchUsage(volume: Volume, alarm: Alarm, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const deadline = await inTurn(volume.uuid, () => compareUsage(volume)).catch(onFault)
      const left = deadline ? deadline.getTime() - now().getTime() : Number.POSITIVE_INFINITY
      await alarm.wait(Math.max(1, Math.min(usageSeconds * 1000, left)))
    }
  }

  /**
   * Repeats background work until the storage closes, after a number of seconds or of computed milliseconds. A failure
   * is reported and the next turn tries again.
   */
  async function repeat(
    interval: number | (() => number),
    work: () => Promise<unknown>,
    signal: AbortSignal = closing.signal,
  ): Promise<void> {
    while (!signal.aborted) {
      await work().catch(onFault)
      await pause(scheduler, typeof interval === 'number' ? interval * 1000 : interval(), signal)
    }
  }

  async function lookForWork(): Promise<void> {
    runner.wake()
    splitWorker.wake()
    wake()
    digestWorker?.wake()
    await noticeWatch.look()
    await cloneTokens.expire()
    const removed = await storeRepositories.jobs.removeEnded(new Date(now().getTime() - retentionMs))
    if (removed > 0) emit('retention.removed', 'jobs', removed)
  }

  async function countJobs(): Promise<void> {
    if (events.listenerCount('jobs.counted') > 0) emit('jobs.counted', await storeRepositories.jobs.count(everything))
  }

  async function trimNotices(): Promise<void> {
    const before = new Date(now().getTime() - noticeDays * DAY_MS)
    const removed = await storeRepositories.notices.trim(before, MAXIMUM_NOTICES)
    if (removed > 0) emit('retention.removed', 'notices', removed)
  }

  async function trimSelfTokens(): Promise<void> {
    const removed = await storeRepositories.selfTokens.removeExpired(now())
    if (removed > 0) emit('retention.removed', 'self-tokens', removed)
  }

  const cloneTokens = createCloneTokens({ repositories, newId, now, clock, emit })
  const repeated: Promise<void>[] = []
  const watches: (() => void)[] = []
  const stopWatching = () => {
    for (const stop of watches.splice(0)) void endEach(onFault, stop)
    for (const { stop } of services.values()) if (stop) void endEach(onFault, stop)
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
      volumes: volumesWithFloor,
    }
    const placed = await registerPlacement(placement)
    await digestWorker?.register()
    await endLeases({ repositories: storeRepositories, worker, now })
    try {
      watch(placed)
      await restore(placed)
    } catch (error) {
      stopWatching()
      throw error
    }
    isStarted = true
    repeated.push(
      repeat(lookSeconds, lookForWork),
      repeat(COUNT_SECONDS, countJobs),
      repeat(TRIM_SECONDS, trimNotices),
      repeat(TRIM_SECONDS, trimSelfTokens),
    )
    for (const volume of placed) workOn(volume)
    if (historySeconds > 0) repeated.push(repeat(historySeconds, sampler.removeOld))
  }

  /** Watches a volume. The background work begins with {@link workOn}. */
  function watchVolume(volume: Volume): void {
    ownVolumes.set(volume.uuid, volume)
    const ending = new AbortController()
    const signal = AbortSignal.any([closing.signal, ending.signal])
    const alarm = createAlarm(scheduler, signal)
    const stop = attached.backend(volume.uuid)?.watchQuota?.((notice) => {
      if (notice.type === 'hard-limit-exceeded') emit('quota.hard-limit-exceeded', volume, notice)
      else alarm.ring()
    })
    services.set(volume.uuid, { ending, signal, alarm, stop, work: Promise.resolve() })
  }

  function workOn(volume: Volume): void {
    const service = services.get(volume.uuid)
    if (!service) return
    const { signal, alarm } = service
    service.work = Promise.all([
      repeat(inspectSeconds, () => inTurn(volume.uuid, () => inspect(volume)), signal),
      watchUsage(volume, alarm, signal),
      ...(historySeconds > 0 ? [repeat(sampler.wait, () => sampler.sample(volume), signal)] : []),
    ])
  }

  function beginService(volume: Volume, backend: VolumeBackend): void {
    if (services.has(volume.uuid) || closing.signal.aborted) return
    const floorOfParent = volume.parent && attached.splitFloor(volume.parent.uuid)
    attached.attach(volume.uuid, backend, floorOfParent ?? storageFloor)
    watchVolume(volume)
    workOn(volume)
    runner.wake()
  }

  async function endService(volume: VolumeId): Promise<void> {
    const service = services.get(volume)
    services.delete(volume)
    ownVolumes.delete(volume)
    attached.detach(volume)
    service?.ending.abort()
    service?.stop?.()
    await service?.work
  }

  function watch(placed: readonly Volume[]): void {
    for (const volume of placed) watchVolume(volume)
    const ring = ({ uuid }: Pick<Volume, 'uuid'>) => ringAlarm(uuid)
    const ringAfterChange = ({ task }: Job) => {
      if (task.kind !== 'clone-file' && task.kind !== 'enforce-grace') ringAlarm(task.volume)
    }
    events.on('volume.state-changed', ring).on('quota.state-changed', ring).on('job.ended', ringAfterChange)
    watches.push(() => {
      events.off('volume.state-changed', ring).off('quota.state-changed', ring).off('job.ended', ringAfterChange)
    })
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
      const ends = [
        stopWatching,
        () => Promise.all([...repeated, ...[...services.values()].map(({ work }) => work)]),
        runner.stop,
        splitWorker.stop,
        deliveryWorker.stop,
        () => digestWorker?.stop(),
        treeOwners.idle,
      ]
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
  const splits = createSplits({ repositories, attached, newId, now, emit, worker: splitWorker })
  const files = createFiles({ repositories, attached })
  const ownQuotas = createOwnQuotas({
    repository: repositories.volumes,
    attached,
    quotaReports,
    treeOwners,
  })
  const clonedVolumes = createClonedVolumes({ repositories, attached, jobs, newId })
  const selfTokens = createSelfTokens({ repository: repositories.selfTokens, newId, now })
  const usageHistory = createUsageHistory({ repositories, volumes, quotaReports, now })

  for (const recorder of [openTelemetryMetrics(), options.metrics])
    if (recorder) recordMetrics(events, recorder, onFault, metricTargets)

  return {
    nodes: checkArguments(nodes, nodeArguments),
    svms: { list: () => repositories.svms.list() },
    volumes: checkArguments(volumes, volumeArguments),
    clonedVolumes: checkArguments(clonedVolumes, clonedVolumeArguments),
    qtrees: checkArguments(qtrees, qtreeArguments),
    quotaRules: checkArguments(quotaRules, quotaRuleArguments),
    quotaReports: checkArguments<QuotaReports>(quotaReports, quotaReportArguments),
    ownQuotas: checkArguments(ownQuotas, ownQuotaArguments),
    ruleImports: checkArguments(ruleImports, ruleImportArguments),
    usageHistory: checkArguments(usageHistory, usageHistoryArguments),
    cloneTokens: checkArguments(cloneTokens, cloneTokenArguments),
    fileClones: checkArguments(fileClones, fileCloneArguments),
    splits: checkArguments(splits, splitArguments),
    files: checkArguments(files, fileArguments),
    jobs: checkArguments<Jobs>(jobs, jobArguments),
    notices: checkArguments(notices, noticeArguments),
    webhooks: checkArguments(webhooks, webhookArguments),
    mailing: checkArguments(createMailing({ mail, scheduler, now }), mailingArguments),
    selfTokens: checkArguments(selfTokens, selfTokenArguments),
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

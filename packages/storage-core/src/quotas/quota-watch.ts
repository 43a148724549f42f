import type { Emit } from '../events/create-events.ts'
import type { EnforceGraceTask } from '../jobs/job-task.ts'
import type { JobQueue } from '../jobs/jobs.ts'
import { type LimitState, type LimitSubject, type QuotaSubject, subjectKey } from '../limit-states/limit-state.ts'
import type { Notice, PublishNotice } from '../notices/notice.ts'
import { noticeId } from '../notices/notice-id.ts'
import type { WatchedReports } from '../quota-reports/quota-reports.ts'
import { subjectOf, type WatchedReport } from '../quota-reports/watched-reports.ts'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { quotaLane } from '../volumes/lanes.ts'
import { isSwitchedOn, type Volume, type VolumeId } from '../volumes/volume.ts'
import { limitMarks } from './limit-marks.ts'
import { ownTarget } from './limits-in-force.ts'
import {
  isIdle,
  isSameCondition,
  type LimitCondition,
  type NextLimitState,
  nextLimitState,
} from './next-limit-state.ts'

export interface QuotaWatchOptions {
  readonly repositories: Pick<StorageRepositories, 'volumes' | 'limitStates'>
  readonly reports: WatchedReports
  readonly jobs: Pick<JobQueue, 'submit'>
  /** Called before a state is stored: a process that ends in between publishes the same ids again. */
  readonly publish: PublishNotice
  readonly emit: Emit
  readonly now: () => Date
  /** In percent of a limit. */
  readonly hysteresis: number
}

/**
 * Compares the usage of a volume with its soft limits, grace periods and thresholds, and publishes what has changed since
 * the last comparison. A change of a grace period is a job in the volume's lane.
 *
 * @returns when the next grace period ends, or `undefined`
 */
export type QuotaWatch = (volume: Pick<Volume, 'uuid'>) => Promise<Date | undefined>

/** The most states of a volume. Further exceeded limits are counted. */
export const MAXIMUM_LIMIT_STATES = 10_000

/** The most targets of one job. */
const TARGETS_PER_JOB = 500

type Target = EnforceGraceTask['targets'][number]

export function createQuotaWatch(options: QuotaWatchOptions): QuotaWatch {
  const { repositories, reports, jobs, publish, emit, now } = options
  const { volumes, limitStates } = repositories
  /** Targets whose state is stored, and whose job is not yet. */
  const unsubmitted = new Map<VolumeId, Target[]>()
  const unwatched = new Map<VolumeId, number>()

  /** Publishes and stores a change. @returns whether this process stored it */
  async function change(
    before: LimitState,
    condition: LimitCondition,
    notices: readonly Omit<Notice, 'id' | 'at' | 'volume'>[],
    volume: Volume,
  ): Promise<boolean> {
    const { subject } = before
    const sequence = before.sequence + 1
    for (const notice of notices) {
      const { kind, percent } = notice
      const id = await noticeId({ kind, volume: volume.uuid, subject, sequence, percent })
      await publish({ id, at: now(), svm: volume.svm, volume: { uuid: volume.uuid, name: volume.name }, ...notice })
    }
    if (isIdle(condition)) return limitStates.remove(volume.uuid, subject, before.sequence)
    return limitStates.replace({ volume: volume.uuid, subject, sequence, ...condition }, before.sequence)
  }

  /** The state before the first change. @returns `undefined` where another process was first */
  async function begin(volume: VolumeId, subject: LimitSubject): Promise<LimitState | undefined> {
    const state = { volume, subject, sequence: now().getTime(), thresholds: [] }
    return (await limitStates.add(state)) ? state : undefined
  }

  async function compareEnforcement(volume: Volume, known: LimitState | undefined): Promise<void> {
    const { quotaState } = volume
    if (quotaState === 'initializing' || quotaState === 'resizing') return
    const reason = lossOf(volume)
    if ((reason === undefined) === (known?.exceededSince === undefined)) return
    const before = known ?? (await begin(volume.uuid, { kind: 'enforcement' }))
    if (!before) return
    if (reason === undefined) {
      const restored = isSwitchedOn(volume) ? [{ kind: 'enforcement-restored' } as const] : []
      await change(before, { thresholds: [] }, restored, volume)
      return
    }
    await change(before, { exceededSince: now(), thresholds: [] }, [{ kind: 'enforcement-lost', reason }], volume)
  }

  async function compareLimits(volume: Volume, states: Map<string, LimitState>): Promise<Date | undefined> {
    const result = await reports.forWatch(volume)
    if (result.isErr()) return undefined
    const remaining = new Map([...states].filter(([, { subject }]) => subject.kind === 'limit'))
    const targets = unsubmitted.get(volume.uuid) ?? []
    unsubmitted.set(volume.uuid, targets)
    let deadline: Date | undefined
    let leftOut = 0

    const compare = async (report: WatchedReport, subject: QuotaSubject, used: number): Promise<void> => {
      const { target, limits, quota } = report
      const { of, principal } = subject
      const watched = report.watched[of]
      if (!watched) return
      const key = subjectKey(subject)
      const known = states.get(key)
      const grace = watched.grace?.enforcedBy === 'watcher' ? watched.grace.periodSeconds : undefined
      const marks = limitMarks(limits, of, options.hysteresis)
      const { thresholds } = watched
      const observation = { used, marks, thresholds, gracePeriodSeconds: grace, now: now() }
      const next = nextLimitState(known ?? { thresholds: [] }, observation)
      remaining.delete(key)
      if (next.deadline && (!deadline || next.deadline < deadline)) deadline = next.deadline
      if (isSameCondition(known ?? { thresholds: [] }, next.condition)) {
        if (known && isIdle(known)) await limitStates.remove(volume.uuid, subject, known.sequence)
        return
      }
      if (!known && states.size >= MAXIMUM_LIMIT_STATES) {
        leftOut += 1
        return
      }
      const before = known ?? (await begin(volume.uuid, subject))
      if (!before) return
      states.set(key, before)
      const notices = noticesOf(
        next,
        { used, rule: quota.rule, target, ...(principal && { principal }) },
        namesOf(limits, of),
      )
      const stored = await change(before, next.condition, notices, volume)
      if (!stored || (before.graceEndedAt === undefined) === (next.condition.graceEndedAt === undefined)) return
      const name = principal?.name
      targets.push({ target: ownTarget(target, principal), ...(name !== undefined && { name }) })
    }

    const defaults = new Map<string, WatchedReport>()
    for (const report of result.value) {
      if (report.isDefault) defaults.set(`${report.quota.rule}/${report.qtree?.id ?? ''}`, report)
      for (const dimension of ['space', 'files'] as const) {
        const used = report.used[dimension]
        const subject = subjectOf(report, dimension)
        if (used === undefined) remaining.delete(subjectKey(subject))
        else if (!report.isDefault) await compare(report, subject, used)
      }
    }
    for (const { subject, sequence } of [...remaining.values()]) {
      if (subject.kind !== 'limit') continue
      // A user or group without files has no usage.
      const report = subject.principal && defaults.get(`${subject.rule}/${subject.qtree ?? ''}`)
      if (report) await compare(report, subject, 0)
      if (remaining.has(subjectKey(subject))) await limitStates.remove(volume.uuid, subject, sequence)
    }
    if ((unwatched.get(volume.uuid) ?? 0) !== leftOut) {
      unwatched.set(volume.uuid, leftOut)
      emit('quota.limits-unwatched', { uuid: volume.uuid, name: volume.name }, { count: leftOut })
    }
    return deadline
  }

  async function submit({ uuid, svm, node }: Volume): Promise<void> {
    const targets = unsubmitted.get(uuid) ?? []
    while (targets.length > 0) {
      const part = targets.slice(0, TARGETS_PER_JOB)
      const task = { kind: 'enforce-grace', volume: uuid, targets: part } as const
      await jobs.submit({ description: 'Apply grace periods', task, lane: quotaLane(uuid), svm, node })
      targets.splice(0, part.length)
    }
  }

  return async ({ uuid }) => {
    const volume = await volumes.find(uuid)
    if (!volume) return undefined
    const states = new Map((await limitStates.list(uuid)).map((state) => [subjectKey(state.subject), state]))
    await compareEnforcement(volume, states.get('enforcement'))
    const isEnforced = isSwitchedOn(volume) && volume.quotaState !== 'corrupt' && volume.state === 'online'
    if (!isEnforced) return undefined
    try {
      return await compareLimits(volume, states)
    } finally {
      await submit(volume)
    }
  }
}

function lossOf(volume: Volume): string | undefined {
  if (!isSwitchedOn(volume)) return undefined
  if (volume.state === 'offline') return 'The file system is not available.'
  if (volume.quotaState === 'corrupt') return 'Quotas are switched off in the file system.'
  return volume.quotaState === 'mixed' ? 'The file system has lost some of the limits.' : undefined
}

/** The names of the soft limit, and of the limit that thresholds are percentages of. */
function namesOf(limits: QuotaLimits, of: 'space' | 'files') {
  const [hard, soft] = of === 'space' ? (['spaceHard', 'spaceSoft'] as const) : (['filesHard', 'filesSoft'] as const)
  return { soft, whole: limits[hard] === undefined ? soft : hard }
}

const noticesOf = (
  { passings }: NextLimitState,
  parts: Pick<Notice, 'used' | 'rule' | 'target' | 'principal'>,
  names: ReturnType<typeof namesOf>,
) =>
  passings.map((passing) => ({ ...parts, limit: passing.percent === undefined ? names.soft : names.whole, ...passing }))

import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Emit } from '../events/create-events.ts'
import type { Job } from '../jobs/job.ts'
import type { ResizeQuotaTask } from '../jobs/job-task.ts'
import type { JobDraft, JobLabel, JobQueue } from '../jobs/jobs.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { describeUnsupported } from '../quotas/describe-unsupported.ts'
import { graceProbe, refusedLimit } from '../quotas/grace-probe.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { type FindVolumeError, findVolume, type NamedVolume } from '../volumes/find-volume.ts'
import { quotaLane } from '../volumes/lanes.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import { checkSoftLimits, type LimitError, normalizeLimits } from './check-limits.ts'
import { checkNotifications, type NotificationError } from './check-notifications.ts'
import { hasName, type TargetError, type TargetRequest } from './check-target.ts'
import { companionRule } from './companion-rule.ts'
import { draftRule } from './draft-rule.ts'
import type { QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule, QuotaRuleField, QuotaRuleId } from './quota-rule.ts'
import { changeRule, type QuotaRuleChange } from './quota-rule-change.ts'

/** Why an operation on a rule was refused. Later failures are in the job. */
export type QuotaRuleError =
  | FindVolumeError
  | TargetError
  | LimitError
  | NotificationError
  | { readonly type: 'quota-rule-not-found'; readonly rule: string }
  /** Another rule of the volume has the same target, or one of the users. */
  | { readonly type: 'quota-rule-exists' }
  | QuotaUnsupported

interface QuotaUnsupported {
  readonly type: 'quota-unsupported'
  readonly message: string
}

/** A new rule: a volume, a target and limits. An SVM and a volume are required. */
export interface CreateQuotaRule
  extends NamedVolume,
    TargetRequest,
    Pick<QuotaRuleChange, 'gracePeriodSeconds' | 'thresholds'> {
  /**
   * Space in bytes, at least 1,024, or else rounded up. Files as a number. -1, `null`, and 0 for files mean no limit.
   *
   * @default no limits: the usage is only counted
   */
  readonly limits?: QuotaLimitsChange
}

/** A changed rule, and the job that applies it to the file system. While quotas are off, the job has already ended. */
export interface ChangedQuotaRule {
  readonly rule: QuotaRule
  readonly job: Job
}

/** The quota rules of the volumes. They take effect when quotas are switched on, and by resizes while they are on. */
export interface QuotaRules {
  /**
   * Creates a rule, and also a default rule of its type without limits when the volume has none and the new rule is not
   * the default itself.
   */
  create(request: CreateQuotaRule, label?: JobLabel): ResultAsync<ChangedQuotaRule, QuotaRuleError>
  find(uuid: string): ResultAsync<QuotaRule, QuotaRuleError>
  list(request: PageRequest<QuotaRuleField>): Promise<Page<QuotaRule>>
  count(query: Query<QuotaRuleField>): Promise<number>
  /** Changes a rule. Absent limits stay unchanged, -1 and `null` remove a limit. */
  update(uuid: string, change: QuotaRuleChange, label?: JobLabel): ResultAsync<ChangedQuotaRule, QuotaRuleError>
  delete(uuid: string, label?: JobLabel): ResultAsync<ChangedQuotaRule, QuotaRuleError>
}

export interface QuotaRulesOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly jobs: JobQueue
  readonly newId: () => string
  readonly emit: Emit
}

export function createQuotaRules(options: QuotaRulesOptions): QuotaRules {
  const { repositories, attached, jobs, emit } = options
  const { quotaRules, qtrees, volumes } = repositories
  // Ids are opaque texts. An id of a client is looked up unchecked.
  const newId = () => options.newId() as QuotaRuleId
  const lookUp = (uuid: string) => quotaRules.find(uuid as QuotaRuleId)
  const notFound = (rule: string) => err({ type: 'quota-rule-not-found', rule } as const)

  async function refuseUnsupported(
    rule: Pick<QuotaRule, 'target' | 'limits' | 'gracePeriodSeconds'>,
    volume: VolumeId,
  ) {
    const [first, ...others] = (await attached.backend(volume)?.unsupported(graceProbe(rule))) ?? []
    if (!first) return ok()
    const message = describeUnsupported([refusedLimit(rule, [first, ...others])])
    return err({ type: 'quota-unsupported', message } as const)
  }

  const volumeOf = async ({ uuid, volume: { uuid: volumeUuid } }: QuotaRule): Promise<Volume> => {
    const volume = await volumes.find(volumeUuid)
    if (!volume) throw new Error(`The volume of quota rule "${uuid}" does not exist`)
    return volume
  }

  /** Returns the job of a change while quotas are on, and the function to call after the change. */
  function prepareResize(rule: QuotaRule, volume: Volume, cause: ResizeQuotaTask['cause'], label?: JobLabel) {
    const draft: JobDraft = {
      ...label,
      task: { kind: 'resize-quota', volume: volume.uuid, rule: rule.uuid, cause },
      lane: quotaLane(volume.uuid),
      svm: volume.svm,
      node: volume.node,
    }
    const job = volume.quotaState === 'off' ? undefined : jobs.prepare(draft)
    const begin = async (): Promise<Job> => {
      if (!job) {
        // Quotas may have been switched on in the meantime, without this change.
        const { quotaState } = await volumeOf(rule)
        return quotaState === 'off' ? jobs.record(draft) : jobs.submit(draft)
      }
      jobs.begin()
      return job
    }
    return { job, begin }
  }

  async function create(request: CreateQuotaRule, label?: JobLabel): Promise<Result<ChangedQuotaRule, QuotaRuleError>> {
    const named = await findVolume(repositories, request, { needsSvm: true })
    if (named.isErr()) return err(named.error)
    const volume = named.value
    const draft = draftRule(request)
    if (draft.isErr()) return err(draft.error)
    const qtreeName = draft.value.target.qtree ?? ''
    const qtree = qtreeName === '' ? undefined : await qtrees.findByName(volume.uuid, qtreeName)
    const rule: QuotaRule = {
      uuid: newId(),
      svm: volume.svm,
      volume: { uuid: volume.uuid, name: volume.name },
      ...draft.value,
      ...(qtree && { qtreeId: qtree.id }),
    }
    const supported = await refuseUnsupported(rule, volume.uuid)
    if (supported.isErr()) return err(supported.error)
    const { job, begin } = prepareResize(rule, volume, 'created', label)
    const added = await quotaRules.add(rule, companionRule(rule, newId), job)
    if (!added.rule) return err({ type: 'quota-rule-exists' } as const)
    if (qtreeName !== '' && !qtree) await linkNewQtree(volume.uuid, qtreeName)
    emit('quota-rule.created', rule)
    return ok({ rule, job: await begin() })
  }

  /** Links a qtree that was created between its look-up and the addition of the rule. */
  async function linkNewQtree(volume: VolumeId, name: string): Promise<void> {
    const qtree = await qtrees.findByName(volume, name)
    if (qtree) await quotaRules.linkQtree(volume, name, qtree.id)
  }

  async function update(
    uuid: string,
    request: QuotaRuleChange,
    label?: JobLabel,
  ): Promise<Result<ChangedQuotaRule, QuotaRuleError>> {
    const { limits = {}, ...others } = request
    const { userMapping } = others
    const rule = await lookUp(uuid)
    if (!rule) return notFound(uuid)
    if (userMapping !== undefined && rule.target.type !== 'user') {
      return err({ type: 'user-mapping-without-user' } as const)
    }
    if (userMapping === true && rule.target.type === 'user' && !hasName(rule.target.users)) {
      return err({ type: 'user-mapping-without-name' } as const)
    }
    const normal = normalizeLimits(limits)
    if (normal.isErr()) return err(normal.error)
    const change = { ...others, limits: normal.value }
    const expected = changeRule(rule, change)
    const checked = checkSoftLimits(expected.limits)
    if (checked.isErr()) return err(checked.error)
    const notifications = checkNotifications(change, expected.limits)
    if (notifications.isErr()) return err(notifications.error)
    const supported = await refuseUnsupported(expected, rule.volume.uuid)
    if (supported.isErr()) return err(supported.error)
    const { job, begin } = prepareResize(rule, await volumeOf(rule), 'modified', label)
    const changed = await quotaRules.update(rule.uuid, change, job)
    if (!changed) return notFound(uuid)
    // The rule was changed in the meantime, so the change is checked against its new limits.
    if (changed === 'soft-above-hard') return update(uuid, change, label)
    emit('quota-rule.modified', changed)
    return ok({ rule: changed, job: await begin() })
  }

  async function remove(uuid: string, label?: JobLabel): Promise<Result<ChangedQuotaRule, QuotaRuleError>> {
    const found = await lookUp(uuid)
    if (!found) return notFound(uuid)
    const { job, begin } = prepareResize(found, await volumeOf(found), 'deleted', label)
    const rule = await quotaRules.remove(found.uuid, job)
    if (!rule) return notFound(uuid)
    emit('quota-rule.deleted', rule)
    return ok({ rule, job: await begin() })
  }

  return {
    create: (request, label) => new ResultAsync(create(request, label)),
    find: (uuid) => ResultAsync.fromSafePromise(lookUp(uuid)).andThen((rule) => (rule ? ok(rule) : notFound(uuid))),
    list: (request) => quotaRules.list(request),
    count: (query) => quotaRules.count(query),
    update: (uuid, change, label) => new ResultAsync(update(uuid, change, label)),
    delete: (uuid, label) => new ResultAsync(remove(uuid, label)),
  }
}

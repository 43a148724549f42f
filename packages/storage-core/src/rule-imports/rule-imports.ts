import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Emit } from '../events/create-events.ts'
import type { Job } from '../jobs/job.ts'
import type { JobDraft, JobLabel, JobQueue } from '../jobs/jobs.ts'
import type { QuotaRule, QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { QuotaRuleBatch } from '../quota-rules/quota-rule-repository.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { quotaLane } from '../volumes/lanes.ts'
import type { Volume } from '../volumes/volume.ts'
import { importedRuleChecks } from './imported-rule-checks.ts'
import { neighbouringIds } from './neighbouring-ids.ts'
import { planImport, type WholePlan } from './plan-import.ts'
import { idsOfQtrees } from './planned-volume.ts'
import type { AppliedRuleImport, RuleImport, RuleImportError, RuleImportPlan } from './rule-import.ts'

/**
 * Imports of many quota rules, of which all or none are applied. Rules are checked one after the other, in turns of the
 * event loop: a method rejects with the `TypeError` or the `RangeError` of a rule that has another type, before anything is
 * changed.
 */
export interface RuleImports {
  /** Compares an import with the stored rules. Changes nothing. */
  plan(request: RuleImport): ResultAsync<RuleImportPlan, RuleImportError>
  /**
   * Creates, changes and deletes rules in one atomic step. Plans again, up to 5 times, when others change the same rules
   * meanwhile. A new rule gets the default rule of its type beside it, as one that is created alone.
   */
  apply(request: RuleImport, label?: JobLabel): ResultAsync<AppliedRuleImport, RuleImportError>
}

export interface RuleImportsOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly jobs: JobQueue
  readonly newId: () => string
  readonly emit: Emit
}

const MAXIMUM_ATTEMPTS = 5

export function createRuleImports({ repositories, attached, jobs, newId, emit }: RuleImportsOptions): RuleImports {
  const { quotaRules, volumes } = repositories
  // Ids are opaque texts.
  const planning = (method: 'plan' | 'apply') => {
    const nextId = neighbouringIds(newId)
    const checkRule = importedRuleChecks[method]
    return { checkRule, repositories, attached, newId: () => nextId() as QuotaRuleId }
  }

  async function apply(request: RuleImport, label?: JobLabel): Promise<Result<AppliedRuleImport, RuleImportError>> {
    const draftOf = ({ uuid, svm, node }: Volume): JobDraft => ({
      ...label,
      task: { kind: 'resize-quotas', volume: uuid },
      lane: quotaLane(uuid),
      svm,
      node,
    })
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
      const planned = await planImport(planning('apply'), request)
      if (planned.isErr()) return err(planned.error)
      const plan = planned.value
      if (plan.changes.length === 0) return ok({ changes: [], unchanged: plan.unchanged, jobs: [] })
      const enforcing = plan.volumes.filter(({ quotaState }) => quotaState !== 'off')
      const prepared = enforcing.map((volume) => jobs.prepare(draftOf(volume)))
      if (!(await quotaRules.applyBatch(batchOf(plan, prepared)))) continue
      await linkNewQtrees(plan)
      report(plan)
      jobs.begin()
      const others = plan.volumes.filter((volume) => !enforcing.includes(volume))
      const late = await submitLate(others, draftOf)
      return ok({ changes: plan.changes, unchanged: plan.unchanged, jobs: [...prepared, ...late] })
    }
    return err({ type: 'import-conflict' })
  }

  /** Adds jobs for volumes whose quotas were switched on meanwhile, without the changes. */
  async function submitLate(off: readonly Volume[], draftOf: (volume: Volume) => JobDraft): Promise<readonly Job[]> {
    const late: Job[] = []
    for (const volume of off) {
      const { quotaState } = (await volumes.find(volume.uuid)) ?? volume
      if (quotaState !== 'off') late.push(await jobs.submit(draftOf(volume)))
    }
    return late
  }

  /** Links qtrees that were created between their look-up and the addition of the rules. */
  async function linkNewQtrees({ changes, volumes: changed }: WholePlan): Promise<void> {
    for (const { uuid } of changed) {
      const unlinked = new Set(
        changes.flatMap((change) => {
          if (change.action !== 'create' || change.after.volume.uuid !== uuid) return []
          return change.after.qtreeId === undefined ? (change.after.target.qtree ?? '') : []
        }),
      )
      unlinked.delete('')
      if (unlinked.size === 0) continue
      const ids = await idsOfQtrees(repositories, uuid)
      for (const name of unlinked) {
        const id = ids.get(name)
        if (id !== undefined) await quotaRules.linkQtree(uuid, name, id)
      }
    }
  }

  function report({ changes }: WholePlan): void {
    for (const change of changes) {
      if (change.action === 'create') emit('quota-rule.created', change.after)
      else if (change.action === 'modify') emit('quota-rule.modified', change.after)
      else emit('quota-rule.deleted', change.before)
    }
  }

  return {
    plan: (request) =>
      new ResultAsync(planImport(planning('plan'), request)).map(({ changes, unchanged }) => ({ changes, unchanged })),
    apply: (request, label) => new ResultAsync(apply(request, label)),
  }
}

function batchOf({ changes, companions, kept }: WholePlan, jobs: readonly Job[]): QuotaRuleBatch {
  const added: QuotaRule[] = []
  const replaced: { before: QuotaRule; after: QuotaRule }[] = []
  const removed: QuotaRule[] = []
  for (const change of changes) {
    if (change.action === 'create') added.push(change.after)
    else if (change.action === 'modify') replaced.push({ before: change.before, after: change.after })
    else removed.push(change.before)
  }
  return { added, companions, replaced, removed, kept, jobs }
}
